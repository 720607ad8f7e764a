import { env, l10n } from 'vscode';
import type { Notices } from '../../editor/notices.ts';
import { plain } from '../../editor/text/plainText.ts';
import { type CopyForm, copyAs } from '../exchanges/copyAs.ts';

/** A request to the service that was not sent, as it is copied. */
export interface UnsentRequest {
  readonly title: string;
  readonly url: string;
  /** JSON. */
  readonly body: string;
}

/** The request that a command is given to copy. */
export function draftOf(argument: unknown): UnsentRequest | undefined {
  const isGiven = typeof argument === 'object' && argument !== null && 'draft' in argument;
  const { title, url, body } = isGiven ? (argument.draft as Partial<UnsentRequest>) : {};
  const isDraft = typeof title === 'string' && typeof url === 'string' && typeof body === 'string' && URL.canParse(url);
  return isDraft ? { title: plain(title), url, body } : undefined;
}

/** The forms in which a request can be copied as code, for a list to choose from. */
export function copiesOf(request: Parameters<typeof copyAs>[0], notices: Pick<Notices, 'info'>) {
  const forms: readonly (readonly [CopyForm, string])[] = [
    ['curl', l10n.t('Copy as cURL')],
    ['fetch', l10n.t('Copy as fetch')],
    ['sdkTypeScript', l10n.t('Copy as OpenAI SDK for TypeScript')],
    ['sdkPython', l10n.t('Copy as OpenAI SDK for Python')],
  ];
  return forms.flatMap(([form, label]) => {
    const code = copyAs(request, form);
    if (code === undefined) return [];
    const run = async (): Promise<void> => {
      await env.clipboard.writeText(code);
      if (request.key === undefined) return void notices.info(l10n.t('Copied.'));
      void notices.info(l10n.t('Copied. The key is expected in the environment variable {0}.', 'PARLEY_API_KEY'));
    };
    return [{ label, run }];
  });
}

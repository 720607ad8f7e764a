import { env, l10n } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { estimateTokens } from '../../../base/tokens.ts';
import { window } from '../../../editor/text/window.ts';
import type { TextMessage } from '../../../service/chat/chatRequest.ts';
import type { Endpoint } from '../../../service/endpoint.ts';

/** Tokens of a question that is sent without asking: more is more than most edits need, and costs what nobody expects of a keystroke. */
const unasked = 50_000;

/**
 * Asks before a question is sent that is very long, as when all of a large file is selected.
 * @throws ServiceError `cancelled` where the user does not send it
 */
export async function confirmLargeEdit(
  messages: readonly TextMessage[],
  lines: number,
  { model, baseUrl }: Pick<Endpoint, 'model' | 'baseUrl'>,
): Promise<void> {
  const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  if (tokens <= unasked) return;
  const send = l10n.t('Send');
  const question = l10n.t('Send {0} lines to {1}?', lines.toLocaleString(env.language), model);
  const detail = l10n.t(
    'They are about {0} tokens for {1}, and as many come back where all of them change. A smaller selection is answered sooner, and better.',
    tokens.toLocaleString(env.language),
    new URL(baseUrl).host,
  );
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, send);
  if (chosen !== send) throw new ServiceError('cancelled');
}

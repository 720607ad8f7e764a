import { l10n } from 'vscode';
import type { ServiceError } from '../../base/errors.ts';

/**
 * What is told where nothing was found. The hint of such an error is the base URL to try, or the name of a server that is there and
 * was started for another address.
 */
export function notFoundSentence({ url = '', hint }: ServiceError, said: string): string {
  if (hint === undefined) return l10n.t('There is nothing at {0}.', url) + said;
  const address = URL.parse(url);
  if (/^https?:/i.test(hint) || address === null) {
    return l10n.t('There is nothing at {0}; the base URL may have to be {1}.', url, hint);
  }
  const [name, path] = [hint, address.pathname];
  return l10n.t(
    '{0} at {1} was not started for this; add “--inference-path {2}” to its command.',
    name,
    address.host,
    path,
  );
}

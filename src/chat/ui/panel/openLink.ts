import { env, l10n, Uri } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';

/** Opens a link of an answer, once the user has seen where it really leads. Nothing but web addresses is ever opened. */
export async function openLink(href: string, notices: Notices): Promise<void> {
  const url = URL.parse(href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return notices.warn(l10n.t('Parley opens web addresses only.'));
  }
  const open = l10n.t('Open');
  const chosen = await window.showInformationMessage(
    l10n.t('Open this address in the browser?'),
    { modal: true, detail: url.href },
    open,
  );
  if (chosen === open) await env.openExternal(Uri.parse(url.href, true));
}

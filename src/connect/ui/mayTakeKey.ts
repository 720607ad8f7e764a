import { l10n } from 'vscode';
import { readSetting, writeSetting } from '../../editor/settings.ts';
import { window } from '../../editor/text/window.ts';
import { isInsecure, originOf } from '../../service/endpoint.ts';

/**
 * Whether a key may go to this address. Where others could read it on the way, the user is asked, and a yes is kept for
 * that one origin in `parley.insecureOrigins`.
 */
export async function mayTakeKey(baseUrl: string): Promise<boolean> {
  const origin = originOf(baseUrl);
  const allowed = readSetting('parley.insecureOrigins');
  if (!isInsecure(baseUrl) || allowed.some((each) => URL.parse(each)?.origin === origin)) return true;
  const allow = l10n.t('Allow for {0}', origin);
  const chosen = await window.showWarningMessage(
    l10n.t('Send your key to {0} over plain http?', origin),
    {
      modal: true,
      detail: l10n.t(
        'Anyone on the way to that machine could read the key, your questions and your code. With https:// they could not.',
      ),
    },
    // Enter takes the first button.
    l10n.t('Do Not Send'),
    allow,
  );
  if (chosen !== allow) return false;
  await writeSetting('parley.insecureOrigins', [...allowed, origin]);
  return true;
}

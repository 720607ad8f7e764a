import { env, l10n, QuickPickItemKind } from 'vscode';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import { languageCode, languageName, spokenLanguages } from '../../transcript/languageNames.ts';

/** The language that is spoken: its code, or undefined where the service is to find out. */
export interface ChosenLanguage {
  readonly language: string | undefined;
}

/**
 * The language as the setting says it, or as the user picks it.
 * @param isAsked whether to ask, whatever the setting says
 * @returns undefined when they changed their mind
 */
export async function chooseLanguage(isAsked = false): Promise<ChosenLanguage | undefined> {
  const setting = String(readSetting('parley.audio.language')).trim().toLowerCase();
  if (!isAsked && setting !== 'ask') return { language: languageCode(setting) };
  const detect = { label: l10n.t('Detect'), description: l10n.t('The service finds out'), language: undefined };
  const named = spokenLanguages
    .map((code) => ({ label: languageName(code, env.language), description: code, language: code }))
    .sort((a, b) => a.label.localeCompare(b.label, env.language));
  const divider = { label: '', kind: QuickPickItemKind.Separator, language: undefined };
  const picked = await window.showQuickPick([detect, divider, ...named], {
    title: l10n.t('Language That Is Spoken'),
    placeHolder: l10n.t('Pick the language of the recording'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked && { language: picked.language };
}

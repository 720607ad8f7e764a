import { env, l10n } from 'vscode';
import { type Button, openSettings } from '../../../editor/sentences/errorButtons.ts';
import type { Untranslated } from '../../../service/audio/audio.ts';
import { languageName } from '../../transcript/languageNames.ts';
import { hasSpeech, type Transcript } from '../../transcript/transcript.ts';

/** A note on a text that is no translation: it is in another language, or there is none. */
export function transcriptNote(transcript: Transcript): string | undefined {
  const { untranslated } = transcript;
  if (!hasSpeech(transcript)) return l10n.t('No speech was found in this recording.');
  if (transcript.isTranslated)
    return l10n.t('The service translated, and did not transcribe in the language that is spoken.');
  return untranslated && untranslatedText(untranslated);
}

function untranslatedText({ language }: Untranslated): string {
  return language === undefined
    ? l10n.t(
        'The service transcribed and did not translate; a form field may tell it to, in the setting parley.audio.extraFields.',
      )
    : l10n.t(
        'The service transcribed in {0} and did not translate; a form field may tell it to, in the setting parley.audio.extraFields.',
        languageName(language, env.language),
      );
}

/** Opens the setting by which the user tells a service to translate. */
export function openExtraFields(): Button {
  return openSettings(l10n.t('Open Setting'), 'parley.audio.extraFields');
}

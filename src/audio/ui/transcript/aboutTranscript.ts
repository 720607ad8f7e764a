import { env, l10n } from 'vscode';
import { languageName } from '../../transcript/languageNames.ts';
import type { Transcript } from '../../transcript/transcript.ts';

/** One sentence about a transcript, for the head of a file. */
export function aboutTranscript(transcript: Transcript): string {
  const { createdAt, untranslated, model, task, language } = transcript;
  const date = new Date(createdAt).toLocaleDateString(env.language, { dateStyle: 'medium' });
  if (task === undefined) {
    return untranslated === undefined
      ? l10n.t('Translated to English by {0}, {1}', model, date)
      : l10n.t('Transcribed by {0}, {1}, and not translated', model, date);
  }
  return language === undefined
    ? l10n.t('Transcribed as spoken by {0}, {1}', model, date)
    : l10n.t('Transcribed in {0} by {1}, {2}', languageName(language, env.language), model, date);
}

/** What a text that was transcribed is, in a few words. */
export function transcriptKind({ language }: Pick<Transcript, 'language'>): string {
  return language === undefined
    ? l10n.t('Transcript in the spoken language')
    : l10n.t('Transcript in {0}', languageName(language, env.language));
}

/** The language that a text is in, by its name. */
export function textLanguageName({ task, language, untranslated }: Transcript): string {
  if (task === undefined && untranslated === undefined) return languageName('en', env.language);
  const given = language ?? untranslated?.language;
  return given === undefined ? l10n.t('the spoken language') : languageName(given, env.language);
}

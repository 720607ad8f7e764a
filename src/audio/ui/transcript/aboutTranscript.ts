import { env, l10n } from 'vscode';
import type { Transcript } from '../../transcript/transcript.ts';

/** One sentence about a transcript, for the head of a file. */
export function aboutTranscript({ createdAt, untranslated, model }: Transcript): string {
  const date = new Date(createdAt).toLocaleDateString(env.language, { dateStyle: 'medium' });
  return untranslated === undefined
    ? l10n.t('Translated to English by {0}, {1}', model, date)
    : l10n.t('Transcribed by {0}, {1}, and not translated', model, date);
}

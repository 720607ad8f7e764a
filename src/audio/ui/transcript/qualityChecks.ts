import { env, l10n } from 'vscode';
import type { CheckView } from '../../../webview/shared/protocol/transcriptProtocol.ts';
import { flagSegments, type QualityReason } from '../../quality/qualityFlags.ts';
import { settledIn } from '../../transcript/segmentNotes.ts';
import type { Transcript } from '../../transcript/transcript.ts';

/** The places of a transcript that are worth checking, each with a sentence that says why, and whether it needs no check any more. */
export async function checksOf(transcript: Transcript): Promise<CheckView[]> {
  const flags = await flagSegments(transcript.segments ?? []);
  const isSettled = settledIn(transcript);
  return flags.map(({ first, reason }) => ({
    segment: first,
    reason: reasonText(reason),
    ...(isSettled(first) && { isSettled: true as const }),
  }));
}

/** Why a place is worth checking. */
export function reasonText(reason: QualityReason): string {
  const share = (value: number): string =>
    Math.min(1, value).toLocaleString(env.language, { style: 'percent', maximumFractionDigits: 0 });
  switch (reason.kind) {
    case 'repeat':
      return l10n.t('The same words {0} times in a row', reason.times);
    case 'loop':
      return l10n.t('“{0}” is repeated {1} times', reason.phrase, reason.times);
    case 'compression':
      return l10n.t('The text repeats itself');
    case 'silence':
      return l10n.t('Perhaps nobody speaks here ({0} sure)', share(reason.noSpeechProb));
    case 'low-confidence':
      // The measure is the mean of the logarithms of what the model took each part of a word to be.
      return l10n.t('The model was not sure of these words ({0})', share(Math.exp(reason.avgLogprob)));
  }
}

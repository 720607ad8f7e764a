import type { Segment } from '../../service/audio/audio.ts';
import { bilingualCues } from '../subtitles/bilingualCues.ts';
import { srt } from '../subtitles/srt.ts';
import { writeSubtitles } from '../subtitles/subtitleFormat.ts';
import { spokenSegments } from '../transcript/timedText.ts';
import { hasSpeech, type Transcript } from '../transcript/transcript.ts';
import { collect, type Exported } from './exportTranscripts.ts';

/** Both texts of a recording, with their times. */
export interface BothTexts {
  readonly spoken: readonly Segment[];
  readonly english: readonly Segment[];
}

/** Both texts where one is spoken and the other is its translation, and both have times and words; in any order. */
export function bothTexts(one: Transcript, other: Transcript): BothTexts | undefined {
  const spoken = [one, other].find(({ task }) => task === 'transcribe');
  const english = [one, other].find(({ task, untranslated }) => task === undefined && untranslated === undefined);
  if (spoken === undefined || english === undefined || !hasSpeech(spoken) || !hasSpeech(english)) return undefined;
  const [above, below] = [spokenSegments(spoken), spokenSegments(english)];
  return above === undefined || below === undefined ? undefined : { spoken: above, english: below };
}

/** Subtitles of two lines, in SRT: what is spoken, over the English. @throws ServiceError `cancelled` */
export async function exportBoth(
  { spoken, english }: BothTexts,
  signal: AbortSignal,
): Promise<Extract<Exported, { content: unknown }>> {
  return { content: await collect(writeSubtitles(bilingualCues(spoken, english), srt), signal) };
}

import type { Segment } from '../../service/audio/audio.ts';
import { oneLine } from './timedText.ts';
import type { Transcript } from './transcript.ts';

/** The longest name, in characters. */
export const longestName = 80;

/** Of which segments a name is changed: all that one speaker says, or what is said from a segment on up to the next speaker. */
export type SpeakerScope = 'all' | 'here';

/** The transcript with another name of who speaks in a segment; an empty one takes the name away. */
export function nameSpeaker(transcript: Transcript, segment: number, name: string, scope: SpeakerScope): Transcript {
  const { segments = [] } = transcript;
  const speaker = oneLine(name).slice(0, longestName);
  const named = new Set(scope === 'all' ? linesOf(segments, segment) : runFrom(segments, segment));
  const isChanged = [...named].some((at) => (segments[at]?.speaker ?? '') !== speaker);
  if (!isChanged) return transcript;
  return {
    ...transcript,
    segments: segments.map((each, at) => {
      if (!named.has(at)) return each;
      const { speaker: _, ...rest } = each;
      return speaker === '' ? rest : { ...rest, speaker };
    }),
  };
}

/** The segments of the speaker of a segment. */
export function linesOf(segments: readonly Segment[], segment: number): number[] {
  const speaker = segments[segment]?.speaker;
  return [...segments.keys()].filter((at) => segments[at]?.speaker === speaker);
}

/** The segments from one on in which the same speaks, or nobody who has a name. */
export function runFrom(segments: readonly Segment[], segment: number): number[] {
  const speaker = segments[segment]?.speaker;
  const rest = [...segments.keys()].slice(segment);
  const end = rest.findIndex((at) => segments[at]?.speaker !== speaker);
  return end < 0 ? rest : rest.slice(0, end);
}

/** The names, in the order in which they come. */
export function namesIn({ segments = [] }: Pick<Transcript, 'segments'>): string[] {
  return [...new Set(segments.map(({ speaker }) => speaker))].filter((name) => name !== undefined);
}

/** What stands before what somebody says: `Anna: `; nothing where the same spoke before. */
export function speakerPrefix({ speaker }: Segment, before: string | undefined): string {
  return speaker === undefined || speaker === before ? '' : `${oneLine(speaker)}: `;
}

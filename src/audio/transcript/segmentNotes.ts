import type { Segment } from '../../service/audio/audio.ts';
import { originalOf } from './editTranscript.ts';
import { plainLines } from './timedText.ts';
import type { Transcript } from './transcript.ts';

/** The transcript with a segment that is ticked off, or is to be checked again; the same where that is so already. */
export function tickSegment(transcript: Transcript, segment: number, isChecked: boolean): Transcript {
  const { segments = [] } = transcript;
  const ticked = segments[segment];
  if (ticked === undefined || (ticked.isChecked === true) === isChecked) return transcript;
  const { isChecked: _, ...rest } = ticked;
  return { ...transcript, segments: segments.with(segment, isChecked ? { ...rest, isChecked } : rest) };
}

/** Gives what tells whether a segment needs no check any more: it was ticked off, or has another text than the service gave. */
export function settledIn(transcript: Transcript): (segment: number) => boolean {
  const { segments = [], original } = transcript;
  const given = new Set(original?.segments?.map(keyOf));
  return (index) => {
    const segment = segments[index];
    if (segment === undefined || segment.isChecked) return true;
    if (original === undefined) return false;
    const known = originalOf(transcript, index);
    return known === undefined ? !given.has(keyOf(segment)) : plainLines(known.text) !== plainLines(segment.text);
  };
}

const keyOf = ({ start, text }: Segment): string => `${start} ${plainLines(text)}`;

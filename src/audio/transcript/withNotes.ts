import type { Segment } from '../../service/audio/audio.ts';
import type { TranscriptSegment } from './transcript.ts';

/** A segment with the notes of another that stood in its place, and with who speaks there. */
export function withNotes(segment: Segment, noted: TranscriptSegment | undefined): TranscriptSegment {
  const { isChecked: _, speaker: __, ...rest }: TranscriptSegment = segment;
  return { ...rest, ...(noted?.isChecked && { isChecked: true }), ...speakerOf(noted) };
}

function speakerOf(segment: TranscriptSegment | undefined): Pick<TranscriptSegment, 'speaker'> {
  return segment?.speaker === undefined ? {} : { speaker: segment.speaker };
}

import type { Segment } from '../../service/audio/audio.ts';
import type { TranscriptSegment } from './transcript.ts';

/** A segment with the notes of another that stood in its place. */
export function withNotes(segment: Segment, noted: TranscriptSegment | undefined): TranscriptSegment {
  const { isChecked: _, ...rest }: TranscriptSegment = segment;
  return { ...rest, ...(noted?.isChecked && { isChecked: true }) };
}

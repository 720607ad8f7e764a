import { oneLine } from './timedText.ts';
import type { Transcript } from './transcript.ts';

/** A line of a translation in which something was found. */
export interface TranscriptHit {
  readonly transcript: Transcript;
  /** Absent in a text without times. */
  readonly segment?: number | undefined;
  /** The words around what was found, in one line. */
  readonly text: string;
}

/** Characters of a line that are shown, and of those that stand before what was found. */
const mostShown = 200;
const before = 40;

/**
 * The lines of translations that have all words of a text, in any order and whatever their case.
 * @param isJoined the text is one word, whose blanks could not be typed
 */
export function searchTranscripts(
  transcripts: readonly Transcript[],
  text: string,
  most: number,
  isJoined = false,
): TranscriptHit[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits: TranscriptHit[] = [];
  if (words.length === 0) return hits;
  const placeIn = (said: string): number | undefined => {
    const line = said.toLowerCase();
    const places = words.map((word) => line.indexOf(word));
    if (!places.includes(-1)) return Math.min(...places);
    return isJoined && line.replace(/\s/g, '').includes(words.join('')) ? 0 : undefined;
  };
  for (const transcript of transcripts) {
    const { segments = [{ text: transcript.text }], segments: given } = transcript;
    for (const [segment, { text: said }] of segments.entries()) {
      const place = placeIn(said);
      if (place === undefined) continue;
      hits.push({ transcript, text: around(said, place), ...(given !== undefined && { segment }) });
      if (hits.length === most) return hits;
    }
  }
  return hits;
}

function around(text: string, place: number): string {
  if (text.length <= mostShown) return oneLine(text);
  const from = Math.max(0, place - before);
  const part = oneLine(text.slice(from, from + mostShown));
  return `${from > 0 ? '…' : ''}${part}${from + mostShown < text.length ? '…' : ''}`;
}

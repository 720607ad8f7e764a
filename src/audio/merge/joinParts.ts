import { joinTexts, placeWords, type Segment } from '../../service/audio/audio.ts';
import type { TranscriptPart } from './placedWords.ts';
import type { Seam } from './seam.ts';

/** The parts before a seam on the left, and after it on the right. Times that the service did not give are not made up. */
export function joinAt(
  seam: Seam,
  left: readonly TranscriptPart[],
  right: readonly TranscriptPart[],
): TranscriptPart[] {
  const before = left.slice(0, seam.left.part);
  const after = right.slice(seam.right.part);
  const cut = seam.left.at > 0 ? left[seam.left.part] : undefined;
  if (cut !== undefined) {
    // The later text says when the words before the seam end, where one of its segments ends there.
    const end = right[seam.right.part - 1]?.end ?? seam.start ?? cut.end;
    const text = cut.text.slice(0, seam.left.at).trimEnd();
    before.push({
      ...cut,
      text,
      ...wordsIn(cut, 0, text.length),
      end: cut.isTimed ? Math.min(cut.end, Math.max(cut.start, end)) : cut.end,
    });
  }
  const first = after.shift();
  if (first === undefined) return before;
  const entered = {
    ...first,
    text: first.text.slice(seam.right.at),
    ...wordsIn(first, seam.right.at, first.text.length),
    start: Math.min(first.end, seam.start ?? first.start),
  };
  const last = seam.start === undefined ? before.pop() : undefined;
  return [...before, last === undefined ? entered : united(last, entered), ...after];
}

/** Two parts in one, whose start and end the service gave. */
function united(one: TranscriptPart, other: TranscriptPart): TranscriptPart {
  return {
    start: one.start,
    end: Math.max(one.end, other.end),
    text: joinTexts([one.text, other.text]),
    ...(one.words || other.words ? { words: [...(one.words ?? []), ...(other.words ?? [])] } : {}),
    isTimed: one.isTimed && other.isTimed,
    ...((one.speaker ?? other.speaker) && { speaker: one.speaker ?? other.speaker }),
    ...worst(Math.min, 'avgLogprob', one, other),
    ...worst(Math.max, 'noSpeechProb', one, other),
    ...worst(Math.max, 'compressionRatio', one, other),
  };
}

/** The words of a part that stand in a stretch of its text. */
function wordsIn({ text, words }: TranscriptPart, from: number, to: number): Pick<Segment, 'words'> {
  if (words === undefined) return {};
  const kept = placeWords(text, words).filter(({ at, text: word }) => at >= from && at + word.length <= to);
  return {
    words: kept.length === 0 ? undefined : kept.map(({ text: word, start, end }) => ({ text: word, start, end })),
  };
}

type Measure = 'avgLogprob' | 'noSpeechProb' | 'compressionRatio';

function worst(choose: (...values: number[]) => number, measure: Measure, ...parts: Segment[]): Pick<Segment, Measure> {
  const known = parts.map((part) => part[measure]).filter((value) => value !== undefined);
  return known.length === 0 ? {} : { [measure]: choose(...known) };
}

/**
 * Puts right the times at seams, in place: they never go backwards, and no two parts are spoken at once. Times that the service gave go
 * before those that a piece owns.
 */
export function keepOrder(parts: readonly TranscriptPart[]): void {
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before === undefined) continue;
    const isAfter = part.isTimed && part.start > before.start;
    if (!isAfter) part.start = Math.max(part.start, Math.min(before.end, Math.max(part.end, before.start)));
    before.end = Math.min(before.end, part.start);
    part.end = Math.max(part.end, part.start);
  }
}

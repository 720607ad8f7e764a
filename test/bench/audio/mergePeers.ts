/** Ways to merge pieces that others have published. */
import type { TranslatedPiece } from '../../../src/audio/merge/mergePieces.ts';
import type { Segment, Translation } from '../../../src/service/audio/audio.ts';

/** Segments belong to the piece that owns their midpoint, whatever their words. */
export function mergeByMidpoints(pieces: readonly TranslatedPiece[]): Translation {
  const segments: Segment[] = pieces.flatMap(({ from, start, end, translation }) =>
    (translation.segments ?? [])
      .map((segment) => ({ ...segment, start: segment.start + from, end: segment.end + from }))
      .filter((segment) => (segment.start + segment.end) / 2 >= start && (segment.start + segment.end) / 2 < end),
  );
  return { text: segments.map(({ text }) => text).join(' '), segments };
}

/**
 * The longest common sequence, as the pipeline of transformers finds it and Groq's cookbook after it: of all shifts of two texts against
 * each other, that where the largest share of words is equal; they are joined in its middle.
 */
export function mergeBySequence(pieces: readonly TranslatedPiece[]): Translation {
  const whole: string[] = [];
  let left: string[] = [];
  for (const { translation } of pieces) {
    const right = translation.text.split(/\s+/).filter((word) => word !== '');
    const [leftMiddle, rightMiddle] = bestShift(left, right);
    whole.push(...left.slice(0, leftMiddle));
    left = right.slice(rightMiddle);
  }
  return { text: [...whole, ...left].join(' '), segments: undefined };
}

function bestShift(left: readonly string[], right: readonly string[]): readonly [left: number, right: number] {
  let best = { share: 0, left: left.length, right: 0 };
  for (let shift = 1; shift < left.length + right.length; shift++) {
    const leftStart = Math.max(0, left.length - shift);
    const rightStart = Math.max(0, shift - left.length);
    const length = Math.min(left.length - leftStart, right.length - rightStart);
    const equal = right
      .slice(rightStart, rightStart + length)
      .filter((word, at) => word === left[leftStart + at]).length;
    // Of equal shares, the longer sequence.
    const share = equal / shift + shift / 10_000;
    if (equal < 2 || share <= best.share) continue;
    const half = Math.floor(length / 2);
    best = { share, left: leftStart + half, right: rightStart + half };
  }
  return [best.left, best.right];
}

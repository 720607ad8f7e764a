/** What merging made of pieces, held against what was said. */
import { diffArrays } from 'diff';
import { mergePieces, type TranslatedPiece } from '../../src/audio/merge/mergePieces.ts';
import { spokenWords } from '../../src/audio/merge/spokenWords.ts';
import type { Translation } from '../../src/service/audio/audio.ts';
import {
  type Cutting,
  createSpeech,
  cutSpeech,
  type SaidWord,
  type SimulatedService,
  translateCut,
  wordMeant,
} from './simulatedSpeech.ts';

export interface MergeVerdict {
  /** Words that were said. */
  words: number;
  lost: number;
  /** Words that are there twice, or were never said. */
  doubled: number;
  borders: number;
  /** Borders with such words. */
  wrongBorders: number;
  /** The most seconds between the start of a segment and that of its first word. */
  drift: number;
  /** Segments that begin before the one before, end before they begin, or begin before the one before ends. */
  backwards: number;
}

/** A way to merge pieces: Parley's, or a peer's. */
export type Merge = (pieces: readonly TranslatedPiece[]) => Translation | Promise<Translation>;

/** Cuts speech of so many seconds, has it translated, merged, and judged. */
export async function simulateMerge(
  seconds: number,
  cutting: Cutting,
  service: SimulatedService,
  seed: number,
  merge: Merge = mergePieces,
): Promise<MergeVerdict> {
  const words = createSpeech(seconds, seed);
  const cuts = cutSpeech(words, seconds, cutting, seed + 1);
  const pieces = cuts.map((cut, index) => translateCut(words, cut, service, seed + 2 + index));
  return judgeMerge(
    words,
    cuts.slice(1).map(({ start }) => start),
    await merge(pieces),
  );
}

export function judgeMerge(words: readonly SaidWord[], borders: readonly number[], merged: Translation): MergeVerdict {
  const said = words.map(({ text }) => spokenWords(text)[0]?.key ?? '');
  const given = spokenWords(merged.text).map(({ key }) => wordMeant(key));
  const wrong = new Set<number>();
  const counts = { lost: 0, doubled: 0 };
  /** For each given word, the word that was said; undefined for one that was not. */
  const origin: (number | undefined)[] = [];
  let place = 0;
  for (const { value, added, removed } of diffArrays(said, given)) {
    if (added || removed) {
      counts[added ? 'doubled' : 'lost'] += value.length;
      wrong.add(nearest(borders, words[Math.min(place, words.length - 1)]?.start ?? 0));
    }
    if (added) origin.push(...value.map(() => undefined));
    else if (removed) place += value.length;
    else origin.push(...value.map(() => place++));
  }
  return {
    words: said.length,
    ...counts,
    borders: borders.length,
    wrongBorders: wrong.size,
    ...judgeTimes(words, origin, merged),
  };
}

function judgeTimes(
  words: readonly SaidWord[],
  origin: readonly (number | undefined)[],
  { segments = [] }: Translation,
): Pick<MergeVerdict, 'drift' | 'backwards'> {
  let [drift, backwards, at, end, start] = [0, 0, 0, 0, 0];
  for (const segment of segments) {
    const first = words[origin[at] ?? -1];
    if (first !== undefined) drift = Math.max(drift, Math.abs(first.start - segment.start));
    if (segment.start < start || segment.end < segment.start || segment.start < end) backwards++;
    [start, end] = [segment.start, segment.end];
    at += spokenWords(segment.text).length;
  }
  return { drift, backwards };
}

function nearest(borders: readonly number[], time: number): number {
  return borders.reduce(
    (best, border) => (Math.abs(border - time) < Math.abs(best - time) ? border : best),
    borders[0] ?? 0,
  );
}

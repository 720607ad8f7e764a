/**
 * The two halves of a search as one score: a convex combination of normalized scores (Bruch, Gai and Ingber, TOIS 2023), in which the
 * half by meaning counts the more the better its nearest hit stands out.
 */

import type { Nearest } from '../types.ts';

/** What each half adds to the score at most. */
interface Shares {
  readonly words: number;
  readonly meaning: number;
}

/** A symbol is found by its letters, so words count more. */
const shares = { sentence: { words: 0.375, meaning: 0.625 }, symbol: { words: 0.6, meaning: 0.4 } } as const;

/** The shares of both halves; a half that found something alone has all of it. */
export function sharesOf(isSymbol: boolean, hasWords: boolean, hasMeaning: boolean): Shares {
  if (!hasWords || !hasMeaning) return { words: 1, meaning: 1 };
  return shares[isSymbol ? 'symbol' : 'sentence'];
}

/**
 * How far the nearest hit stands out is measured at this hit. Models differ in the range of their cosines; one that knows the answer
 * sets it apart, one that does not has ten that are about as near.
 */
const comparedWith = 7;

/** The scores of hits by meaning, from 0 to 1. @param hits the nearest first */
export function scoresOf(hits: readonly Nearest[]): Map<number, number> {
  const [nearest = 0, farthest = 0] = [hits[0]?.cosine, hits.at(-1)?.cosine];
  // Among few hits, the last one is not worth nothing.
  const least = farthest - (nearest - farthest) / hits.length;
  const share = (cosine: number): number => (nearest === least ? 1 : (cosine - least) / (nearest - least));
  // The same text in many places has one cosine: it does not stand out less for that.
  const other = [...new Set(hits.map(({ cosine }) => cosine))][comparedWith];
  const apart = other === undefined || nearest === least ? 1 : 1 - share(other);
  return new Map(hits.map(({ id, cosine }) => [id, apart * share(cosine)]));
}

import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Store } from '../store/store.ts';
import { type Nearest, spaceKey } from '../types.ts';
import type { SearchAnswer } from './query.ts';

/** What the half by meaning found, and by which halves a question is answered. */
export interface MeaningHalf {
  readonly by: SearchAnswer['by'];
  /** Why it failed, where the service has answered: the vector of the question has another length than those of the index. */
  readonly fault?: SearchAnswer['fault'];
  readonly hits: Nearest[];
}

/** The vector of a question by a model. @param isAnew it is asked for once more, as what came does not fit */
export type VectorFor = (
  embeddingModel: EmbeddingModel,
  space: number | undefined,
  isAnew?: boolean,
) => Promise<Float32Array>;

/**
 * Finds chunks by meaning, of all files or of these, the nearest first. Without a model, or while it has no vectors
 * here or far away, the list is empty, and `by` is `keywords`; where the service failed, `failed`.
 * @param vectorFor computes the query vector with the model of the searched space
 */
export type FindByMeaning = (
  embeddingModel: EmbeddingModel | undefined,
  vectorFor: VectorFor,
  files: readonly number[] | undefined,
  far?: FarVectors,
) => Promise<MeaningHalf>;

/** Number of candidates by meaning. */
const candidates = 100;
/** Minimum similarity of a hit by meaning, as a share of the nearest hit's. */
export const nearEnough = 0.4;

/** Finds chunks of these files by vectors that the index of this machine lacks. */
export interface FarVectors {
  /** Whether they can be asked for now: a question is worth its vector. */
  isThere(): Promise<boolean>;
  /** The nearest first; undefined where they could not be asked. */
  near(vector: Float32Array, limit: number, files: readonly number[] | undefined): Promise<Nearest[] | undefined>;
}

/** A question goes to the model it is given alone: one that was chosen before, and has more vectors here, is not asked. */
export function createFindByMeaning(store: () => Store): FindByMeaning {
  return async function find(embeddingModel, vectorFor, files, far) {
    if (embeddingModel === undefined) return { by: 'keywords', hits: [] };
    const space = store().knownSpace(spaceKey(embeddingModel));
    // With vectors here the question needs its own in any case.
    if (space === undefined && !(await far?.isThere())) return { by: 'keywords', hits: [] };
    const isHere = (vector: Float32Array): boolean => space !== undefined && store().hasLength(space, vector.length);
    try {
      let vector = await vectorFor(embeddingModel, space);
      if (space !== undefined && !isHere(vector)) vector = await vectorFor(embeddingModel, space, true);
      const beyond = await far?.near(vector, candidates, files);
      if (!isHere(vector) && !beyond?.length) return lacking(space);
      const here = space !== undefined && isHere(vector) ? store().findNearest(space, vector, candidates, files) : [];
      const found = oneList(here, beyond ?? []);
      const least = (found[0]?.cosine ?? 0) * nearEnough;
      return { by: 'both', hits: found.filter(({ cosine }) => cosine > 0 && cosine >= least) };
    } catch (error) {
      if (isCancelled(error) || !(error instanceof ServiceError)) throw error;
      return { by: 'failed', hits: [] };
    }
  };
}

/** Where no vector can be compared with that of the question. */
const lacking = (space: number | undefined): MeaningHalf =>
  space === undefined ? { by: 'keywords', hits: [] } : { by: 'failed', fault: 'length', hits: [] };

/** The nearest of both, each once: by the vector on this machine, where there is one. */
function oneList(here: readonly Nearest[], beyond: readonly Nearest[]): Nearest[] {
  if (beyond.length === 0) return [...here];
  const all = new Map([...beyond, ...here].map((each) => [each.id, each]));
  return [...all.values()].sort((a, b) => b.cosine - a.cosine).slice(0, candidates);
}

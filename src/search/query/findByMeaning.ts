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
export type VectorFor = (embeddingModel: EmbeddingModel, space: number, isAnew?: boolean) => Promise<Float32Array>;

/**
 * Finds chunks by meaning, of all files or of these, the nearest first. Without a model, or while it has no vectors
 * here, the list is empty, and `by` is `keywords`; where the service failed, `failed`.
 * @param vectorFor computes the query vector with the model of the searched space
 */
export type FindByMeaning = (
  embeddingModel: EmbeddingModel | undefined,
  vectorFor: VectorFor,
  files: readonly number[] | undefined,
) => Promise<MeaningHalf>;

/** Number of candidates by meaning. */
const candidates = 100;
/** Minimum similarity of a hit by meaning, as a share of the nearest hit's. */
export const nearEnough = 0.4;

/** A question goes to the model it is given alone: one that was chosen before, and has more vectors here, is not asked. */
export function createFindByMeaning(store: () => Store): FindByMeaning {
  return async function find(embeddingModel, vectorFor, files) {
    if (embeddingModel === undefined) return { by: 'keywords', hits: [] };
    const space = store().knownSpace(spaceKey(embeddingModel));
    if (space === undefined) return { by: 'keywords', hits: [] };
    try {
      let vector = await vectorFor(embeddingModel, space);
      if (!store().hasLength(space, vector.length)) vector = await vectorFor(embeddingModel, space, true);
      if (!store().hasLength(space, vector.length)) return { by: 'failed', fault: 'length', hits: [] };
      const found = store().findNearest(space, vector, candidates, files);
      const least = (found[0]?.cosine ?? 0) * nearEnough;
      return { by: 'both', hits: found.filter(({ cosine }) => cosine > 0 && cosine >= least) };
    } catch (error) {
      if (isCancelled(error) || !(error instanceof ServiceError)) throw error;
      return { by: 'failed', hits: [] };
    }
  };
}

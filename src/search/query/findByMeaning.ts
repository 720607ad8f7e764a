import { type ErrorKind, isCancelled, ServiceError } from '../../base/errors.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Store } from '../store/store.ts';
import { type Nearest, sourceOf, spaceKey } from '../types.ts';
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

/** Errors with which services answer for a withdrawn model. */
const saysGone: ReadonlySet<ErrorKind> = new Set(['model-not-found', 'not-found', 'bad-request', 'permission']);
/** Number of candidates by meaning. */
const candidates = 100;
/** Minimum similarity of a hit by meaning, as a share of the nearest hit's. */
export const nearEnough = 0.4;

/** @param spaceBefore the space of the previous model, while it covers more files */
export function createFindByMeaning(
  store: () => Store,
  spaceBefore: (embeddingModel: EmbeddingModel) => string | undefined,
): FindByMeaning {
  /** Spaces whose model the service has withdrawn. */
  const withdrawn = new Set<string>();

  /** The previous model, if it covers more files while the vectors of the current one are built. */
  function modelBefore(embeddingModel: EmbeddingModel): EmbeddingModel | undefined {
    const before = spaceBefore(embeddingModel);
    if (before === undefined || withdrawn.has(before)) return undefined;
    const { model, documentPrefix } = sourceOf(before);
    return {
      ...embeddingModel,
      model,
      documentPrefix,
      embed: (texts, signal) => embeddingModel.embed(texts, signal, model),
    };
  }

  return async function find(embeddingModel, vectorFor, files) {
    if (embeddingModel === undefined) return { by: 'keywords', hits: [] };
    const before = modelBefore(embeddingModel);
    const by = before ?? embeddingModel;
    const space = store().knownSpace(spaceKey(by));
    if (space === undefined) return { by: 'keywords', hits: [] };
    try {
      let vector = await vectorFor(by, space);
      if (!store().hasLength(space, vector.length)) vector = await vectorFor(by, space, true);
      if (!store().hasLength(space, vector.length)) return { by: 'failed', fault: 'length', hits: [] };
      const found = store().findNearest(space, vector, candidates, files);
      const least = (found[0]?.cosine ?? 0) * nearEnough;
      return { by: 'both', hits: found.filter(({ cosine }) => cosine > 0 && cosine >= least) };
    } catch (error) {
      if (isCancelled(error) || !(error instanceof ServiceError)) throw error;
      if (before === undefined || !saysGone.has(error.kind)) return { by: 'failed', hits: [] };
      withdrawn.add(spaceKey(before));
      return find(embeddingModel, vectorFor, files);
    }
  };
}

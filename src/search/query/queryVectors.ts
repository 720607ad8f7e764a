import { ServiceError } from '../../base/errors.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { spaceKey } from '../types.ts';

/** The vector of a query text. The last few are cached. @param isAnew asks the service even where it is known */
export type QueryVector = (
  text: string,
  embeddingModel: EmbeddingModel,
  signal: AbortSignal,
  isAnew?: boolean,
) => Promise<Float32Array>;

const queriesKept = 50;

/** Requests the vectors of questions, once for equal ones. */
export function createQueryVectors(): QueryVector {
  const known = new Map<string, Float32Array>();
  return async (text, embeddingModel, signal, isAnew = false) => {
    const key = `${spaceKey(embeddingModel)}\0${text}`;
    const kept = known.get(key);
    if (kept !== undefined && !isAnew) return kept;
    const [vector] = await embeddingModel.embed([text], signal);
    if (!(vector instanceof Float32Array)) throw new ServiceError('malformed', { hint: vector?.fault });
    known.set(key, vector);
    const oldest = known.size > queriesKept ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return vector;
  };
}

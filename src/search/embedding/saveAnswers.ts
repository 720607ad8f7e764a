import { ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { storageReason } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import { sourceName, spaceKey, type VectorSource } from '../types.ts';
import { type HashedVector, toRows, type VectorRow } from '../vectors/quantise.ts';
import type { VectorCache } from './vectorCache.ts';

/** Vectors of one answer, with their space and source. */
export interface EmbeddedBatch {
  space: number;
  source: VectorSource;
  vectors: readonly HashedVector[];
}

/** An answer as it is stored: quantised once, for the index and for the vector cache. */
interface Rows extends Omit<EmbeddedBatch, 'vectors'> {
  rows: readonly VectorRow[];
}

/** Stores answers in the index and in the vector cache. */
export interface AnswerSaver {
  /**
   * Stores vectors, one answer after the other, beginning with those that found no room before; without an answer, only
   * those. Throws `malformed` for unusable vectors, which are dropped.
   */
  save(answer?: EmbeddedBatch): Promise<void>;
}

/** A saver that stores answers in an index and, where their origin is known, in the vector cache. */
export function createAnswerSaver(store: () => Store, cache: VectorCache | undefined): AnswerSaver {
  /** Answers received while the disk was full: dropping them would cost their tokens again, so they wait for room. */
  const unsaved: Rows[] = [];
  const saving = createTaskQueue();

  async function put(answer: Rows): Promise<void> {
    try {
      await whenFree(() => {
        const key = spaceKey(answer.source);
        // A search may have found the vectors damaged since they were asked for: these go to the space of the new ones.
        const space = store().isSpaceOf(key, answer.space) ? answer.space : store().space(key);
        store().putVectors(space, answer.rows);
      });
    } catch (error) {
      if (storageReason(error) === undefined) unsaved.shift();
      throw error;
    }
    await keepForMachine(answer.source, answer.rows);
  }

  async function keepForMachine(source: VectorSource, rows: readonly VectorRow[]): Promise<void> {
    const name = sourceName(source);
    if (cache === undefined || name === undefined) return;
    const keep = (): void => {
      if (cache.keep(name, rows) === 'busy') throw new ServiceError('storage', { hint: 'busy' });
    };
    // A failure is ignored: the cache only saves requests.
    await whenFree(keep).catch(() => undefined);
  }

  return {
    save: (answer) =>
      saving(async () => {
        if (answer !== undefined) unsaved.push(quantised(answer));
        for (let next = unsaved[0]; next !== undefined; next = unsaved[0]) {
          await put(next);
          unsaved.shift();
          // A search may run between two answers.
          await nextTurn();
        }
      }),
  };
}

const quantised = ({ vectors, ...answer }: EmbeddedBatch): Rows => ({ ...answer, rows: toRows(vectors) });

import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { estimateTokens } from '../../base/tokens.ts';
import type { Store } from '../store/store.ts';
import type { IndexProgress } from '../types.ts';
import { embedAll } from './embedder.ts';
import type { EmbeddingModel } from './embeddingModel.ts';
import { type AnswerSaver, createAnswerSaver } from './saveAnswers.ts';
import { createTakeKnown, spaceOf, type TakeKnown } from './takeKnown.ts';
import type { VectorCache } from './vectorCache.ts';
import { withWindowLock } from './windowLock.ts';

type Report = (progress: IndexProgress) => void;

/** Gets vectors for the texts of an index that have none. */
export interface Missing {
  takeKnown: TakeKnown;
  /**
   * Requests the remaining vectors, of all files or of these; returns how many texts were sent. Calls wait for one
   * another, and for other windows, so that no text is sent twice; nothing else waits for them.
   */
  embedMissing(
    embeddingModel: EmbeddingModel,
    signal: AbortSignal,
    report: Report,
    files?: readonly number[],
  ): Promise<number>;
}

/** One run, over all files or some. */
interface Run {
  store: () => Store;
  embeddingModel: EmbeddingModel;
  signal: AbortSignal;
  files: readonly number[] | undefined;
  save: AnswerSaver['save'];
}

/** @param directory of the index; its windows share a lock */
export function createMissing(directory: string, store: () => Store, cache: VectorCache | undefined): Missing {
  const saver = createAnswerSaver(store, cache);
  const takeKnown = createTakeKnown(store, cache);
  const sending = createTaskQueue();

  return {
    takeKnown,
    async embedMissing(embeddingModel, signal, report, files) {
      const space = await spaceOf(store, embeddingModel);
      const missing = (of = space): number => store().amountWithout(of, files).chunks;
      await saver.save();
      await takeKnown(embeddingModel, signal, files);
      const ofChunks = missing();
      if (ofChunks === 0) return 0;
      const tell = (chunks: number): void => report({ phase: 'embedding', chunks, ofChunks });
      tell(0);
      const run = { store, embeddingModel, signal, files, save: saver.save };
      const send = (to: number): Promise<number> => {
        const done = ofChunks - missing(to);
        return sendMissing(run, to, (sent) => tell(done + sent));
      };
      const wait = (): boolean => {
        const left = missing();
        tell(ofChunks - left);
        // The other window's build also sends the texts of a saved file, whose update then has nothing left to wait for.
        return left > 0 || files === undefined;
      };
      const sendAll = (): Promise<number> =>
        send(space).catch(async (error: unknown) => {
          const other = await spaceOf(store, embeddingModel);
          const isOther = error instanceof ServiceError && error.hint === 'another length';
          // The service returned a length that an earlier space has, and that space misses fewer vectors: the run goes
          // on in it and sends no more than planned.
          if (files !== undefined || !isOther || missing(other) >= missing()) throw error;
          return send(other);
        });
      const path = join(directory, 'turn.lock');
      return sending(async () => (await withWindowLock(path, signal, wait, sendAll)) ?? 0, signal);
    },
  };
}

/** Sends texts until every text of a space has a vector or the allowance is used up; returns how many were sent. */
async function sendMissing(run: Run, space: number, tell: (sent: number) => void): Promise<number> {
  const { store, embeddingModel, signal, files, save } = run;
  const { model, documentPrefix, origin, batchSize, learn } = embeddingModel;
  const source = { model, documentPrefix, origin };
  let { allowance } = embeddingModel;
  let sent = 0;
  // The list is read again until nothing is new: files may be rewritten meanwhile, also by another window.
  for (let before = -1; sent > before; ) {
    before = sent;
    await embedAll(
      store().itemsWithout(space, files),
      {
        embed: (texts, stop) => {
          if (allowance !== undefined) allowance -= texts.reduce((sum, text) => sum + estimateTokens(text), 0);
          const prefixed = texts.map((text) => (documentPrefix ?? '') + text);
          return embeddingModel.embed(prefixed, stop);
        },
        batchSize,
        learn,
        allowance,
        now: () => performance.now(),
        save: async (vectors) => {
          await save({ space, source, vectors });
          sent += vectors.length;
          tell(sent);
        },
      },
      signal,
    );
  }
  return sent;
}

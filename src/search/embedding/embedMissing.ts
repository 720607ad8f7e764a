import { ServiceError } from '../../base/errors.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { estimateTokens } from '../../base/tokens.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { IndexProgress, RefusedText } from '../types.ts';
import { embedAll, isTooLong } from './embedder.ts';
import type { EmbeddingModel } from './embeddingModel.ts';
import { type AnswerSaver, createAnswerSaver } from './saveAnswers.ts';
import { type SendingTurn, withSendingTurn } from './sendingTurn.ts';
import { createTakeKnown, spaceOf, type TakeKnown } from './takeKnown.ts';
import type { VectorCache } from './vectorCache.ts';

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
  /** Estimated tokens that may be sent still, in all turns of the run together. */
  allowance: number | undefined;
  /** As learned in the last turn. */
  batchSize: EmbeddingModel['batchSize'];
  /** An answer with vectors of another length was asked for again already. */
  isAskedAgain: boolean;
}

/** @param turns the folder of the locks by which windows take turns: that of the machine's vector cache, if there is one */
export function createMissing(turns: string, store: () => Store, cache: VectorCache | undefined): Missing {
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
      const { allowance, batchSize } = embeddingModel;
      const run: Run = {
        store,
        embeddingModel,
        signal,
        files,
        save: saver.save,
        allowance,
        batchSize,
        isAskedAgain: false,
      };
      const send = (to: number, turn: SendingTurn): Promise<Sent> => {
        const done = ofChunks - missing(to);
        return sendMissing(run, to, turn, (sent) => tell(done + sent));
      };
      const wait = (): boolean => {
        const left = missing();
        tell(ofChunks - left);
        // A build of the same folder also sends the texts of a saved file, whose update then has nothing left to wait for.
        return left > 0 || files === undefined;
      };
      const sendInTurn = async (turn: SendingTurn): Promise<Sent> => {
        // What other windows got meanwhile, for a clone of this folder or another one with the same texts, is not sent again.
        await takeKnown(embeddingModel, signal, files);
        return send(space, turn).catch(async (error: unknown) => {
          const other = await spaceOf(store, embeddingModel);
          const isOther = error instanceof ServiceError && error.hint === 'another length';
          // The service returned a length that an earlier space has, and that space misses fewer vectors: the run goes
          // on in it and sends no more than planned.
          if (files !== undefined || !isOther || missing(other) >= missing()) throw error;
          return send(other, turn);
        });
      };
      return sending(async () => {
        let all = 0;
        for (let isOver = true; isOver; ) {
          const sent = await withSendingTurn(turns, signal, wait, sendInTurn);
          all += sent?.texts ?? 0;
          isOver = sent?.isOver ?? false;
        }
        return all;
      }, signal);
    },
  };
}

interface Sent {
  readonly texts: number;
  /** Whether the turn ended before all was sent. */
  readonly isOver: boolean;
}

/** Sends texts until every text of a space has a vector, the allowance is used up, or the turn is over. */
async function sendMissing(run: Run, space: number, turn: SendingTurn, tell: (sent: number) => void): Promise<Sent> {
  const { store, embeddingModel, signal, files, save } = run;
  const { model, documentPrefix, origin, learn } = embeddingModel;
  const source = { model, documentPrefix, origin };
  let sent = 0;
  let isOver = false;
  const items = function* () {
    for (const item of store().itemsWithout(space, files)) {
      if (isOver) return;
      yield item;
    }
  };
  // The list is read again until nothing is new: files may be rewritten meanwhile, also by another window.
  for (let before = -1; sent > before && !isOver; ) {
    before = sent;
    await embedAll(
      items(),
      {
        embed: async (texts, stop) => {
          const prefixed = texts.map((text) => (documentPrefix ?? '') + text);
          const ask = (): ReturnType<EmbeddingModel['embed']> => {
            if (run.allowance !== undefined)
              run.allowance -= texts.reduce((sum, text) => sum + estimateTokens(text), 0);
            return embeddingModel.embed(prefixed, stop);
          };
          const answer = await ask();
          // One odd answer is no other model: only where the next has another length, too, all would have to be sent anew.
          if (run.isAskedAgain || !isOfOtherLength(answer, store().dimensions(space))) return answer;
          run.isAskedAgain = true;
          return ask();
        },
        keepRefused: (texts) => {
          const rows = texts.map(({ hash, error }) => ({ hash, ...refusalOf(error) }));
          return whenFree(() => store().putRefused(space, rows));
        },
        batchSize: run.batchSize,
        learn: (size) => {
          run.batchSize = size;
          learn?.(size);
        },
        allowance: run.allowance,
        now: () => performance.now(),
        save: async (vectors) => {
          await save({ space, source, vectors });
          sent += vectors.length;
          tell(sent);
          isOver ||= await turn.isOver();
        },
      },
      signal,
    );
  }
  return { texts: sent, isOver };
}

/** Whether vectors have another length than those that are there. */
function isOfOtherLength(answer: readonly unknown[], length: number | undefined): boolean {
  return length !== undefined && answer.some((each) => each instanceof Float32Array && each.length !== length);
}

/** Why a text was refused, as it is kept. */
function refusalOf(error: unknown): Omit<RefusedText, 'hash'> {
  if (!(error instanceof ServiceError)) return { reason: 'refused', detail: '' };
  if (isTooLong(error)) return { reason: 'too-long', detail: error.message };
  if (error.kind === 'malformed') return { reason: 'no-vector', detail: error.hint ?? '' };
  return { reason: 'refused', detail: error.message };
}

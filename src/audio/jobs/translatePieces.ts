import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import { countFailures, type Failures, passingKinds } from './failures.ts';
import { openPieceList, type PieceList, type PieceState } from './pieceList.ts';
import type { PieceWork } from './pieceWork.ts';
import { sendPiece } from './sendPiece.ts';

/**
 * Translates a recording piece by piece. What comes back is on the disk before the next piece goes, so that another run goes on
 * where this one ended, however it did. A piece that fails stops no other, unless all would fail; where it may not fail again, it is
 * tried once more at the end.
 * @returns undefined when it was paused before all was sent
 * @throws ServiceError of the first piece that failed, or of what all would have met; `cancelled`
 */
export async function translatePieces(work: PieceWork, signal: AbortSignal): Promise<TranslatedPiece[] | undefined> {
  const pieces = await openPieceList(work, signal);
  pieces.report();
  const runs = [
    await runAll(pieces, work, signal, countFailures(), ({ translation }) => translation === undefined),
    await runAll(
      pieces,
      work,
      signal,
      countFailures(true),
      ({ error }) => error !== undefined && passingKinds.has(error.kind),
    ),
  ];
  if (runs.includes('paused')) return undefined;
  for (const { error } of pieces.states) if (error !== undefined) throw error;
  return pieces.translated();
}

/** Runs the pieces that are wanted, several at once. What is on its way is never stopped for another's failure: it is paid for. */
async function runAll(
  pieces: PieceList,
  work: PieceWork,
  signal: AbortSignal,
  failures: Failures,
  isWanted: (state: PieceState) => boolean,
): Promise<'paused' | 'through'> {
  const { wait } = work;
  const tried = new Set<PieceState>();
  const onTheirWay = new Set<Promise<void>>();
  let end: { readonly error: unknown } | undefined;
  let isPaused = false;
  async function tryOne(state: PieceState): Promise<void> {
    const isForAll = failures.sending();
    delete state.error;
    try {
      await sendPiece(state, pieces, work, signal);
      if (state.translation !== undefined) failures.taken();
      if (!state.wasSent) return;
      failures.passed();
      wait.passed();
    } catch (error) {
      if (!(error instanceof ServiceError) || isCancelled(error)) throw error;
      if (error.kind === 'too-large' && (await pieces.followLimit(state, error))) return;
      state.error = error;
      if (wait.take(error)) tried.delete(state);
      else if (isForAll(error)) throw error;
    } finally {
      Object.assign(state, { size: 0, sent: 0 });
      pieces.report();
    }
  }
  async function worker(): Promise<void> {
    for (;;) {
      await wait.untilOver(signal, (until) => pieces.reportWait(until, true));
      if (failures.areOpen) await Promise.all(onTheirWay);
      const state = pieces.states.find((each) => !tried.has(each) && isWanted(each));
      if (state === undefined || end !== undefined || signal.aborted) return;
      if (work.isPaused()) {
        isPaused = true;
        return;
      }
      tried.add(state);
      const trying = tryOne(state).catch((error: unknown) => {
        end ??= { error };
      });
      onTheirWay.add(trying);
      await trying;
      onTheirWay.delete(trying);
    }
  }
  await Promise.all(Array.from({ length: work.parallel }, worker));
  if (signal.aborted) throw new ServiceError('cancelled');
  if (end !== undefined) throw end.error;
  return isPaused ? 'paused' : 'through';
}

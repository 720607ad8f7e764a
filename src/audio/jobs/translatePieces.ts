import { rm } from 'node:fs/promises';
import { type ErrorKind, isCancelled, ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import type { AudioPiece } from '../split/plan/planPieces.ts';
import type { PieceRequest, PieceStore } from './pieceStore.ts';
import type { PieceProgress, SplitRecording } from './pieces.ts';
import { envelopeBytes, limitAfter } from './uploadLimit.ts';

/** The largest request that a service takes, as far as that is known. */
export interface UploadLimit {
  /** Of the whole request, in bytes. */
  readonly bytes: number;
  /** Takes in that a service refused more than this. */
  learn(bytes: number): void;
}

/** A recording that is sent piece by piece. */
export interface PieceWork {
  /** SHA-256 of the recording, in hexadecimal. */
  readonly sha256: string;
  readonly split: SplitRecording;
  readonly store: PieceStore;
  readonly limit: UploadLimit;
  /** What decides on an answer beside the piece. */
  readonly request: Pick<PieceRequest, 'baseUrl' | 'model' | 'options'>;
  /** Pieces that are on their way at once. */
  readonly parallel: number;
  /** What a piece is asked with. With `parallel` of 1, the texts before it are given, the nearest last. */
  promptFor(before: readonly TranslatedPiece[]): string;
  /** Sends a file. @param onSent how many bytes of how many the network took */
  send(
    file: { readonly path: string; readonly contentType: string; readonly prompt: string },
    signal: AbortSignal,
    onSent: (sent: number, size: number) => void,
  ): Promise<Translation>;
  /** Resolves at once, or once a pause ends. @throws ServiceError `cancelled` */
  untilGoing(signal: AbortSignal): Promise<void>;
  report(progress: PieceProgress): void;
}

/** Errors that another try may not meet: the transport has tried several times by then, so they are tried at the end. */
const passing: ReadonlySet<ErrorKind> = new Set([
  'server',
  'overloaded',
  'rate-limit',
  'reset',
  'timeout',
  'malformed',
  'truncated',
]);

/** A piece, and how far it is. */
interface State {
  readonly piece: AudioPiece;
  translation?: Translation;
  wasSent?: boolean;
  error?: ServiceError;
  size: number;
  sent: number;
}

/**
 * Translates a recording piece by piece. What comes back is on the disk before the next piece goes, so that another run goes on
 * where this one ended, however it did. A piece that fails does not stop the others; it is tried once more at the end.
 * @throws ServiceError of the first piece that failed, `cancelled`
 */
export async function translatePieces(work: PieceWork, signal: AbortSignal): Promise<TranslatedPiece[]> {
  const { store, sha256, split, limit, parallel } = work;
  const planned = (await store.plan(sha256)) ?? (await split.plan(limit.bytes, signal));
  // Pieces of another plan would not fit those that came back.
  await keepPlan(planned);
  let states = planned.map(toState);

  /** A disk that takes no plan takes no piece either, and that is what is told. */
  async function keepPlan(pieces: readonly AudioPiece[]): Promise<void> {
    await store.savePlan(sha256, pieces).catch(() => undefined);
  }

  const report = (): void => work.report(progressOf(states, split.durationSeconds));

  /** Replaces a piece by smaller ones, where it can be cut. */
  async function splitFurther(state: State, bytes: number): Promise<boolean> {
    const smaller = await split.plan(bytes, signal, state.piece);
    if (smaller.length < 2) return false;
    states = states.flatMap((each) => (each === state ? smaller.map(toState) : [each]));
    await keepPlan(states.map(({ piece }) => piece));
    return true;
  }

  /** The same for one that a service refused as too large. */
  async function followLimit(state: State, error: ServiceError): Promise<void> {
    const next = limitAfter(error, state.size + envelopeBytes);
    if (next === undefined) throw error;
    limit.learn(next);
    if (!(await splitFurther(state, next))) throw error;
  }

  async function run(state: State, stop: AbortSignal): Promise<void> {
    const before = states.slice(0, states.indexOf(state)).flatMap(toTranslated);
    const prompt = work.promptFor(parallel === 1 ? before : []);
    // What the texts before it add is no part of the key: a text that came late would make all after it others.
    const own = work.promptFor([]);
    const request = { ...work.request, sha256, from: state.piece.from, to: state.piece.to, prompt: own };
    const known = await store.get(request);
    if (known !== undefined) {
      state.translation = known;
      return;
    }
    await work.untilGoing(stop);
    const path = store.pathFor(request, 'piece');
    try {
      const { contentType, bytes, isOriginal } = await split.write(state.piece, path, stop);
      // The limit is lower than when the recording was cut.
      if (bytes + envelopeBytes > limit.bytes && (await splitFurther(state, limit.bytes))) return;
      state.size = bytes;
      const translation = await work.send({ path, contentType, prompt }, stop, (sent) => {
        state.sent = sent;
        report();
      });
      Object.assign(state, { translation, wasSent: true });
      // Where the disk does not take it, this run still has it.
      if (isOriginal) await store.save(request, translation).catch(() => undefined);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Runs pieces that are not done, several at once; one that cannot succeed ends all. */
  async function runAll(isWanted: (state: State) => boolean): Promise<void> {
    const tried = new Set<State>();
    const ended = new AbortController();
    const stop = AbortSignal.any([signal, ended.signal]);
    const next = (): State | undefined => states.find((each) => !tried.has(each) && isWanted(each));
    async function worker(): Promise<void> {
      for (let state = next(); state !== undefined && !stop.aborted; state = next()) {
        tried.add(state);
        delete state.error;
        try {
          await run(state, stop);
        } catch (error) {
          if (!(error instanceof ServiceError) || isCancelled(error)) throw error;
          if (error.kind === 'too-large') await followLimit(state, error);
          else if (passing.has(error.kind)) state.error = error;
          else throw error;
        }
        Object.assign(state, { size: 0, sent: 0 });
        report();
      }
    }
    const workers = Array.from({ length: parallel }, () =>
      worker().catch((error: unknown) => {
        ended.abort();
        throw error;
      }),
    );
    const outcomes = await Promise.allSettled(workers);
    if (signal.aborted) throw new ServiceError('cancelled');
    // Those that were stopped by another's failure say no more than that.
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    const [failure] = [...failures.filter((each) => !isCancelled(each)), ...failures];
    if (failure !== undefined) throw failure;
  }

  report();
  await runAll(({ translation }) => translation === undefined);
  await runAll(({ error }) => error !== undefined);
  for (const { error } of states) if (error !== undefined) throw error;
  return states.flatMap(toTranslated);
}

const toState = (piece: AudioPiece): State => ({ piece, size: 0, sent: 0 });

function toTranslated({ piece, translation }: State): TranslatedPiece[] {
  return translation === undefined ? [] : [{ ...piece, translation }];
}

function progressOf(states: readonly State[], seconds: number): PieceProgress {
  const done = states.filter(({ translation }) => translation !== undefined);
  const lengthOf = (some: readonly State[]): number =>
    some.reduce((sum, { piece }) => sum + piece.end - piece.start, 0);
  return {
    pieces: states.length,
    done: done.length,
    failed: states.filter(({ error }) => error !== undefined).length,
    seconds,
    secondsDone: lengthOf(done),
    secondsSent: lengthOf(done.filter(({ wasSent }) => wasSent)),
    bytes: states.reduce((sum, { size }) => sum + size, 0),
    bytesSent: states.reduce((sum, { sent }) => sum + sent, 0),
  };
}

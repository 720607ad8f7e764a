import { rm } from 'node:fs/promises';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import type { AudioPiece } from '../split/plan/planPieces.ts';
import { countFailures, passingKinds } from './failures.ts';
import type { PieceRequest, PieceStore } from './pieceStore.ts';
import type { PieceProgress, SplitRecording } from './pieces.ts';
import type { ServiceWait } from './serviceWait.ts';
import { envelopeBytes, limitAfter } from './uploadLimit.ts';

/** The largest request that a service takes, as far as that is known. */
export interface UploadLimit {
  /** Of the whole request, in bytes. */
  readonly bytes: number;
  /** Takes in that a service refused more than this. */
  learn(bytes: number): void;
}

/** What is told while a file is sent. */
export interface SendingEvents {
  /** How many bytes of how many the network took. */
  onSent(sent: number, size: number): void;
  /** It is held back so long, in milliseconds, as the service asks for it. */
  onWait(waitMs: number): void;
}

/** A recording that is sent piece by piece. */
export interface PieceWork {
  /** SHA-256 of the recording, in hexadecimal. */
  readonly sha256: string;
  readonly split: SplitRecording;
  readonly store: PieceStore;
  readonly limit: UploadLimit;
  /** The wait that the service asks for, which holds for all that is sent to it. */
  readonly wait: ServiceWait;
  /** What decides on an answer beside the piece. */
  readonly request: Pick<PieceRequest, 'baseUrl' | 'model' | 'options'>;
  /** Pieces that are on their way at once. */
  readonly parallel: number;
  /** What the recording is asked with. One that was begun before goes on with what it was asked with then. */
  readonly prompt: string;
  /** What a piece is asked with where `parallel` is 1: the prompt, and what the texts before it add, the nearest last. */
  carryOver(prompt: string, before: readonly TranslatedPiece[]): string;
  send(
    file: { readonly path: string; readonly contentType: string; readonly prompt: string },
    signal: AbortSignal,
    events: SendingEvents,
  ): Promise<Translation>;
  /** Whether nothing more is to be sent for now. */
  isPaused(): boolean;
  report(progress: PieceProgress): void;
  /** Milliseconds since 1970. */
  now(): number;
}

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
 * where this one ended, however it did. A piece that fails stops no other, unless all would fail; where it may not fail again, it is
 * tried once more at the end.
 * @returns undefined when it was paused before all was sent
 * @throws ServiceError of the first piece that failed, or of what all would have met; `cancelled`
 */
export async function translatePieces(work: PieceWork, signal: AbortSignal): Promise<TranslatedPiece[] | undefined> {
  const { store, sha256, split, limit, parallel, wait } = work;
  const kept = await store.plan(sha256);
  const planned = kept?.pieces ?? (await split.plan(limit.bytes, signal));
  const prompt = kept?.prompt ?? work.prompt;
  // Pieces of another plan, or of another prompt, would not fit those that came back.
  await keepPlan(planned);
  let states = planned.map(toState);
  let waitsUntil: number | undefined;
  let isHeld = false;

  /** A disk that takes no plan takes no piece either, and that is what is told. */
  async function keepPlan(pieces: readonly AudioPiece[]): Promise<void> {
    await store.savePlan(sha256, { pieces, prompt }).catch(() => undefined);
  }

  const report = (): void => work.report(progressOf(states, split.durationSeconds, waitsUntil));
  const tellWait = (until: number): void => {
    waitsUntil = until;
    report();
  };

  /** Replaces a piece by smaller ones, where it can be cut. */
  async function splitFurther(state: State, bytes: number): Promise<boolean> {
    const smaller = await split.plan(bytes, signal, state.piece);
    if (smaller.length < 2) return false;
    states = states.flatMap((each) => (each === state ? smaller.map(toState) : [each]));
    await keepPlan(states.map(({ piece }) => piece));
    return true;
  }

  /** The same for one that a service refused as too large. */
  async function followLimit(state: State, error: ServiceError): Promise<boolean> {
    const next = limitAfter(error, state.size + envelopeBytes);
    if (next === undefined) return false;
    limit.learn(next);
    // It may have been lower before: the answer to what was sent earlier comes late.
    return splitFurther(state, limit.bytes);
  }

  async function run(state: State): Promise<void> {
    // What the texts before it add is no part of the key: a text that came late would make all after it others.
    const request = { ...work.request, sha256, from: state.piece.from, to: state.piece.to, prompt };
    const known = await store.get(request);
    if (known !== undefined) {
      state.translation = known;
      return;
    }
    const path = store.pathFor(request, 'piece');
    try {
      const { contentType, bytes, isOriginal } = await split.write(state.piece, path, signal);
      // The limit is lower than when the recording was cut.
      if (bytes + envelopeBytes > limit.bytes && (await splitFurther(state, limit.bytes))) return;
      state.size = bytes;
      const before = parallel === 1 ? states.slice(0, states.indexOf(state)).flatMap(toTranslated) : [];
      const asked = before.length === 0 ? prompt : work.carryOver(prompt, before);
      const translation = await work.send({ path, contentType, prompt: asked }, signal, {
        onSent(sent) {
          state.sent = sent;
          report();
        },
        onWait: (waitMs) => tellWait(work.now() + waitMs),
      });
      Object.assign(state, { translation, wasSent: true });
      // Where the disk does not take it, this run still has it.
      if (isOriginal) await store.save(request, translation).catch(() => undefined);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Runs the pieces that are wanted, several at once. What is on its way is never stopped for another's failure: it is paid for. */
  async function runAll(isWanted: (state: State) => boolean): Promise<void> {
    const tried = new Set<State>();
    const failures = countFailures();
    let end: { readonly error: unknown } | undefined;
    async function tryOne(state: State): Promise<void> {
      const isForAll = failures.sending();
      delete state.error;
      try {
        await run(state);
        if (!state.wasSent) return;
        failures.passed();
        wait.passed();
      } catch (error) {
        if (!(error instanceof ServiceError) || isCancelled(error)) throw error;
        if (error.kind === 'too-large' && (await followLimit(state, error))) return;
        state.error = error;
        if (wait.take(error)) tried.delete(state);
        else if (isForAll(error)) throw error;
      } finally {
        Object.assign(state, { size: 0, sent: 0 });
        report();
      }
    }
    async function worker(): Promise<void> {
      for (;;) {
        await wait.untilOver(signal, tellWait);
        const state = states.find((each) => !tried.has(each) && isWanted(each));
        if (state === undefined || end !== undefined || signal.aborted) return;
        if (work.isPaused()) {
          isHeld = true;
          return;
        }
        tried.add(state);
        await tryOne(state).catch((error: unknown) => {
          end ??= { error };
        });
      }
    }
    await Promise.all(Array.from({ length: parallel }, worker));
    if (signal.aborted) throw new ServiceError('cancelled');
    if (end !== undefined) throw end.error;
  }

  report();
  await runAll(({ translation }) => translation === undefined);
  await runAll(({ error }) => error !== undefined && passingKinds.has(error.kind));
  if (isHeld) return undefined;
  for (const { error } of states) if (error !== undefined) throw error;
  return states.flatMap(toTranslated);
}

const toState = (piece: AudioPiece): State => ({ piece, size: 0, sent: 0 });

function toTranslated({ piece, translation }: State): TranslatedPiece[] {
  return translation === undefined ? [] : [{ ...piece, translation }];
}

function progressOf(states: readonly State[], seconds: number, waitsUntil: number | undefined): PieceProgress {
  const done = states.filter(({ translation }) => translation !== undefined);
  const lengthOf = (some: readonly State[]): number =>
    some.reduce((sum, { piece }) => sum + piece.end - piece.start, 0);
  return {
    pieces: states.length,
    done: done.length,
    failedAt: states.flatMap(({ error, piece }) => (error === undefined ? [] : [piece.start])),
    seconds,
    secondsDone: lengthOf(done),
    secondsSent: lengthOf(done.filter(({ wasSent }) => wasSent)),
    bytes: states.reduce((sum, { size }) => sum + size, 0),
    bytesSent: states.reduce((sum, { sent }) => sum + sent, 0),
    ...(waitsUntil === undefined ? {} : { waitsUntil }),
  };
}

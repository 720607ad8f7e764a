import type { ServiceError } from '../../base/errors.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import type { AudioPiece } from '../split/plan/planPieces.ts';
import type { PieceProgress } from './pieces.ts';
import type { PieceWork } from './pieceWork.ts';
import { envelopeBytes, limitAfter } from './uploadLimit.ts';

/** A piece, and how far it is. */
export interface PieceState {
  readonly piece: AudioPiece;
  translation?: Translation;
  wasSent?: boolean;
  error?: ServiceError;
  size: number;
  sent: number;
}

/** The pieces of a recording, as its plan on the disk has them, and how far all are. */
export interface PieceList {
  readonly states: readonly PieceState[];
  /** What all are asked with. */
  readonly prompt: string;
  /** Those whose text is there. @param before only those before this one */
  translated(before?: PieceState): TranslatedPiece[];
  /** Replaces a piece by smaller ones, where it can be cut. */
  splitFurther(state: PieceState): Promise<boolean>;
  /** The same for one that a service refused as too large. */
  followLimit(state: PieceState, error: ServiceError): Promise<boolean>;
  report(): void;
  /** Reports until when what is sent is held back, in milliseconds since 1970, and whether the service asked for that. */
  reportWait(until: number, isAsked: boolean): void;
}

/** Goes on with the plan of a recording that is kept, or makes one. */
export async function openPieceList(work: PieceWork, signal: AbortSignal): Promise<PieceList> {
  const { store, sha256, split, limit } = work;
  const plan = await store.plan(sha256);
  // One of another track has other pauses, and other texts.
  const kept = plan?.track === split.track ? plan : undefined;
  const planned = kept?.pieces ?? (await split.plan(limit.bytes, signal));
  const prompt = kept?.prompt ?? work.prompt;
  // Pieces of another plan, or of another prompt, would not fit those that came back.
  await keepPlan(planned);
  let states = planned.map(toState);
  let wait: Pick<PieceProgress, 'waitsUntil' | 'isWaitAsked'> = {};

  /** A disk that takes no plan takes no piece either, and that is what is told. */
  async function keepPlan(pieces: readonly AudioPiece[]): Promise<void> {
    await store.savePlan(sha256, { pieces, prompt, track: split.track }).catch(() => undefined);
  }

  async function splitFurther(state: PieceState): Promise<boolean> {
    const smaller = await split.plan(limit.bytes, signal, state.piece);
    if (smaller.length < 2) return false;
    states = states.flatMap((each) => (each === state ? smaller.map(toState) : [each]));
    await keepPlan(states.map(({ piece }) => piece));
    return true;
  }

  const report = (): void => work.report(progressOf(states, split.durationSeconds, wait));

  return {
    get states() {
      return states;
    },
    prompt,
    translated: (before) =>
      (before === undefined ? states : states.slice(0, states.indexOf(before))).flatMap(toTranslated),
    splitFurther,
    async followLimit(state, error) {
      const next = limitAfter(error, state.size + envelopeBytes);
      if (next === undefined) return false;
      limit.learn(next);
      // It may have been lower before: the answer to what was sent earlier comes late.
      return splitFurther(state);
    },
    report,
    reportWait(waitsUntil, isWaitAsked) {
      wait = { waitsUntil, isWaitAsked };
      report();
    },
  };
}

const toState = (piece: AudioPiece): PieceState => ({ piece, size: 0, sent: 0 });

function toTranslated({ piece, translation }: PieceState): TranslatedPiece[] {
  return translation === undefined ? [] : [{ ...piece, translation }];
}

function progressOf(states: readonly PieceState[], seconds: number, wait: Partial<PieceProgress>): PieceProgress {
  const done = states.filter(({ translation }) => translation !== undefined);
  const lengthOf = (some: readonly PieceState[]): number =>
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
    ...wait,
  };
}

import type { OnWait, Translation } from '../../service/audio/audio.ts';
import type { TranslatedPiece } from '../merge/mergePieces.ts';
import type { PieceRequest, PieceStore } from './pieceStore.ts';
import type { PieceProgress, SplitRecording } from './pieces.ts';
import type { ServiceWait } from './serviceWait.ts';
import type { UploadLimit } from './uploadLimit.ts';

/** What is told while a file is sent. */
export interface SendingEvents {
  /** How many bytes of how many the network took. */
  onSent(sent: number, size: number): void;
  onWait: OnWait;
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

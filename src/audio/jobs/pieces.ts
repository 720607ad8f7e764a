import type { TrackInfo } from '../recording/trackInfo.ts';
import type { AudioPiece } from '../split/plan/planPieces.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import type { WrittenPiece } from '../split/write/writePiece.ts';

/** A recording that can be cut, open for as long as its pieces are sent. */
export interface SplitRecording {
  readonly durationSeconds: number;
  /** Bytes of the sound alone. */
  readonly soundBytes: number;
  /** Whether there are pictures beside the sound; no piece has them. */
  readonly hasPictures: boolean;
  /** Whether pieces of it are encoded, without loss: how many bytes they have is known when they are. */
  readonly isEncoded?: boolean | undefined;
  /** Pieces that there are at least: a piece is of one kind of sound. */
  readonly parts?: number | undefined;
  readonly missing?: MissingSound | undefined;
  /** The tracks of sound, where there are several, and the number of the one that is sent. */
  readonly tracks?: readonly TrackInfo[] | undefined;
  readonly track?: number | undefined;
  /**
   * Cuts it into pieces whose requests stay under a size, in bytes. The same call gives the same pieces.
   * @param part a piece of an earlier plan that is to be cut further; without it, all is cut
   * @throws ServiceError for a recording that cannot be cut, `cancelled`
   */
  plan(mostBytes: number, signal: AbortSignal, part?: AudioPiece): Promise<readonly AudioPiece[]>;
  /** Writes the audio of a piece to a file of its own. */
  write(piece: AudioPiece, path: string, signal: AbortSignal): Promise<SentPiece>;
  close(): Promise<void>;
}

/** A piece as it lies on the disk, to be sent. */
export interface SentPiece extends Pick<WrittenPiece, 'bytes' | 'contentType'> {
  /** Whether it is of the recording as it was opened. Of one that was overwritten meanwhile, no answer belongs to its hash. */
  readonly isOriginal: boolean;
}

/** How far a recording is. */
export interface PieceProgress {
  readonly pieces: number;
  readonly done: number;
  /** Where the pieces begin that failed so far, in seconds. */
  readonly failedAt: readonly number[];
  /** Seconds of the recording, those whose text is there, and those of them that were sent in this run. */
  readonly seconds: number;
  readonly secondsDone: number;
  readonly secondsSent: number;
  /** Bytes of the pieces that are on their way, and how many the network took of them. */
  readonly bytes: number;
  readonly bytesSent: number;
  /** When what is held back goes, in milliseconds since 1970, which may be over, and whether the service asked for that. */
  readonly waitsUntil?: number;
  readonly isWaitAsked?: boolean;
}

/** The time that is left, in milliseconds, as fast as it went so far; undefined before the first piece came back. */
export function timeLeft({ seconds, secondsDone, secondsSent }: PieceProgress, elapsedMs: number): number | undefined {
  return secondsSent === 0 ? undefined : ((seconds - secondsDone) * elapsedMs) / secondsSent;
}

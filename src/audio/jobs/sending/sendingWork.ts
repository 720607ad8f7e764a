import type { MergedTranslation, TranslatedPiece } from '../../merge/mergePieces.ts';
import type { TranslationPrompt } from '../../prompt/translationPrompt.ts';
import type { Recording } from '../../recording/recording.ts';
import type { MissingSound } from '../../split/thread/splitMethods.ts';
import type { SplitRecording } from '../pieces.ts';
import type { PieceWork } from '../pieceWork.ts';
import type { SoundAlone } from '../soundAlone.ts';

/** How a recording is sent, whole or in pieces. */
export interface RecordingWork extends Omit<PieceWork, 'sha256' | 'split' | 'prompt' | 'isPaused' | 'report'> {
  /** What a recording is asked with. */
  promptFor(recording: Recording): Promise<TranslationPrompt>;
  /**
   * Opens a recording to be cut.
   * @param track the number of the track that is wanted; without it, the one that seems to be meant
   * @throws ServiceError where it cannot be
   */
  openSplit(recording: Recording, signal: AbortSignal, track?: number): Promise<SplitRecording>;
  /** The number of the track that the user chose; undefined where they did not. */
  chosenTrack?(recording: Recording): number | undefined;
  /**
   * Looks through a recording. Without its answer no file is sent as it is.
   * @throws ServiceError where it cannot be read
   */
  proveAlone(recording: Recording, signal: AbortSignal): Promise<SoundAlone | undefined>;
  /** Whether the service has refused what a recording was encoded as, and took the file as it is. */
  readonly encodedRefusal?: { readonly isKnown: boolean; learn(): void };
  /** Called when all of a recording is translated that there is, and some of it is not there. */
  onMissing?(recording: Recording, missing: MissingSound): void;
  merge(pieces: readonly TranslatedPiece[]): Promise<MergedTranslation>;
}

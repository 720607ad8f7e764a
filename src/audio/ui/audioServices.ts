import type { TaskQueue } from '../../base/taskQueue.ts';
import type { Services } from '../../editor/services.ts';
import type { AudioJobs } from '../jobs/jobs.ts';
import type { PieceStore } from '../jobs/pieceStore.ts';
import type { TranslationOutcome } from '../jobs/translate.ts';
import type { ChosenTracks } from '../recording/chosenTracks.ts';
import type { Splitter } from '../split/splitter.ts';
import type { Journal } from '../transcript/journal.ts';
import type { Decorations } from './decorations.ts';
import type { TranscriptPanels } from './transcript/panel/transcriptPanels.ts';
import type { TranscriptDocuments } from './transcript/transcriptDocuments.ts';

/** The parts that the audio feature works with. */
export interface AudioParts {
  services: Services;
  journal: Journal;
  pieces: PieceStore;
  splitter: Splitter;
  jobs: AudioJobs<TranslationOutcome>;
  turns: TaskQueue;
  panels: TranscriptPanels;
  documents: TranscriptDocuments;
  decorations: Decorations;
  tracks: ChosenTracks;
}

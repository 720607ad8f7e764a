import type { TaskQueue } from '../../base/taskQueue.ts';
import type { Services } from '../../editor/services.ts';
import type { AudioTask } from '../../service/audio/audio.ts';
import type { AudioJobs } from '../jobs/jobs.ts';
import type { PieceStore } from '../jobs/pieceStore.ts';
import type { TranslationOutcome } from '../jobs/translate.ts';
import type { ChosenTracks } from '../recording/chosenTracks.ts';
import type { Splitter } from '../split/splitter.ts';
import type { Journal } from '../transcript/journal.ts';
import type { Decorations } from './decorations.ts';
import type { Transcribing } from './tasks/mayTranscribe.ts';
import type { TranscriptPanels } from './transcript/panel/transcriptPanels.ts';
import type { TranscriptDocuments } from './transcript/transcriptDocuments.ts';

/** Where texts of a task are kept, and the answers for pieces that they are made of. */
export interface TaskStores {
  journal: Journal;
  pieces: PieceStore;
}

/** The parts that the audio feature works with, for the task that is to be done. */
export interface AudioParts extends TaskStores {
  services: Services;
  task: AudioTask;
  /** The language that is spoken, for the task `transcribe`; undefined where the service is to find out. */
  language?: string | undefined;
  stores: Readonly<Record<AudioTask, TaskStores>>;
  transcribing: Transcribing;
  splitter: Splitter;
  jobs: AudioJobs<TranslationOutcome>;
  turns: TaskQueue;
  panels: TranscriptPanels;
  documents: TranscriptDocuments;
  decorations: Decorations;
  tracks: ChosenTracks;
}

/** The same parts for another task: no text of one is ever taken for one of the other. */
export const partsFor = (task: AudioTask, parts: AudioParts): AudioParts => ({ ...parts, ...parts.stores[task], task });

import type { TaskQueue } from '../../base/taskQueue.ts';
import type { Services } from '../../editor/services.ts';
import type { Journal } from '../journal.ts';
import type { Decorations } from './decorations.ts';
import type { TranscriptPanels } from './transcriptPanel.ts';

/** The parts that the audio feature works with. */
export interface AudioParts {
  services: Services;
  journal: Journal;
  turns: TaskQueue;
  panels: TranscriptPanels;
  decorations: Decorations;
}

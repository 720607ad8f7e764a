import type { Services } from '../../editor/services.ts';
import type { Journal } from '../journal.ts';
import type { Translator } from '../translate.ts';
import type { Turns } from '../turns.ts';
import type { Decorations } from './decorations.ts';
import type { TranscriptPanels } from './panel.ts';

/** What the audio feature works with. */
export interface AudioParts {
  services: Services;
  journal: Journal;
  translator: Translator;
  turns: Turns;
  panels: TranscriptPanels;
  decorations: Decorations;
}

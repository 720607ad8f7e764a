import { element } from '../../parts/dom.ts';
import type { PanelState } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';
import { createChips } from './chips.ts';
import { createOpenFileChip } from './openFileChip.ts';

/** All that goes along with the next question: the instructions of the workspace, the open file, and what was attached. */
export interface AttachedChips {
  readonly element: HTMLElement;
  update(state: PanelState): void;
}

/** @param onRemove called when one was removed: its button had the focus */
export function createAttachedChips(page: Page, onRemove: () => void): AttachedChips {
  const { strings } = page;
  const instructions = createChips(page, strings['instructions'], onRemove);
  const openFile = createOpenFileChip(page);
  const chips = createChips(page, strings['attached'], onRemove);
  return {
    element: element('div', { class: 'attached' }, instructions.element, openFile.element, chips.element),
    update(state) {
      instructions.update(state.instructions);
      openFile.update(state.openFile);
      chips.update(state.chips);
    },
  };
}

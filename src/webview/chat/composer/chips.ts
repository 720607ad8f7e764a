import { element, iconButton } from '../../parts/dom.ts';
import type { ChipView } from '../../shared/protocol.ts';
import type { Page } from '../page.ts';

/** The attachments of the next question, each with a button that removes it. */
export interface Chips {
  readonly element: HTMLElement;
  update(chips: readonly ChipView[]): void;
}

/** @param onRemove called when one was removed: its button had the focus */
export function createChips({ strings, post }: Page, onRemove: () => void): Chips {
  const list = element('ul', { class: 'chips', 'aria-label': strings['attached'] });
  let drawn: readonly ChipView[] | undefined;

  function chipElement(chip: ChipView): HTMLElement {
    const remove = (): void => {
      post({ type: 'detach', chip: chip.id });
      onRemove();
    };
    const label = (strings['detach'] ?? '').replace('{0}', () => chip.label);
    const button = iconButton('close', label, remove);
    return element('li', { class: 'chip', title: chip.title }, element('span', { text: chip.label }), button);
  }

  return {
    element: list,
    update(chips) {
      if (chips === drawn) return;
      drawn = chips;
      list.hidden = chips.length === 0;
      list.replaceChildren(...chips.map(chipElement));
    },
  };
}

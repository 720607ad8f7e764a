import { element, icon, iconButton } from '../../parts/dom.ts';
import type { ChipView } from '../../shared/protocol.ts';
import type { Page } from '../page.ts';

/** What goes along with the next question, each with a button that removes it. */
export interface Chips {
  readonly element: HTMLElement;
  update(chips: readonly ChipView[]): void;
}

/**
 * @param label of the list, for readers
 * @param onRemove called when one was removed: its button had the focus
 */
export function createChips({ strings, post }: Page, label: string | undefined, onRemove: () => void): Chips {
  const list = element('ul', { class: 'chips', 'aria-label': label, hidden: true });
  let drawn = '[]';

  function chipElement(chip: ChipView): HTMLElement {
    const remove = (): void => {
      post({ type: 'detach', chip: chip.id });
      onRemove();
    };
    const label = (strings['detach'] ?? '').replace('{0}', () => chip.label);
    const button = iconButton('close', label, remove);
    const before = chip.icon === undefined ? [] : [icon(chip.icon)];
    return element(
      'li',
      { class: 'chip', title: chip.title },
      ...before,
      element('span', { text: chip.label }),
      button,
    );
  }

  return {
    element: list,
    update(chips) {
      // The same chips stay as they are: one of their buttons may have the focus.
      const next = JSON.stringify(chips);
      if (next === drawn) return;
      drawn = next;
      list.hidden = chips.length === 0;
      list.replaceChildren(...chips.map(chipElement));
    },
  };
}

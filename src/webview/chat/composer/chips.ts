import { element, icon, iconButton } from '../../parts/dom.ts';
import type { ChipView } from '../../shared/protocol/messageProtocol.ts';
import type { Page } from '../page.ts';

/** What goes along with the next question, each with a button that removes it. */
export interface Chips {
  readonly element: HTMLElement;
  update(chips: readonly ChipView[]): void;
}

/**
 * @param label of the list, for readers
 * @param onRemove called when one was removed: its button had the focus
 * @param of the question that is being edited; without one, they are of the next
 */
export function createChips(
  { strings, post }: Page,
  label: string | undefined,
  onRemove: () => void,
  of?: string,
): Chips {
  const list = element('ul', { class: 'chips', 'aria-label': label, hidden: true });
  let drawn = '[]';

  function chipElement(chip: ChipView): HTMLElement {
    const remove = (): void => {
      post({ type: 'detach', chip: chip.id, ...(of !== undefined && { of }) });
      onRemove();
    };
    const label = (strings['detach'] ?? '').replace('{0}', () => chip.label);
    const button = iconButton('close', label, remove);
    return element(
      'li',
      { class: 'chip' },
      chipButton(chip, () => post({ type: 'readChip', chip: chip.id, ...(of !== undefined && { of }) })),
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

/** The part of a chip that opens what it stands for. */
export function chipButton({ icon: name, label, title, tokens }: ChipView, open: () => void): HTMLElement {
  return element(
    'button',
    { class: 'open-chip', type: 'button', title, onclick: open },
    ...(name === undefined ? [] : [icon(name)]),
    element('span', { class: 'chip-label', text: label }),
    ...(tokens === undefined ? [] : [element('span', { class: 'chip-tokens', text: tokens })]),
  );
}

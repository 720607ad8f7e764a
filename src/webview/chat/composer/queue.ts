import { element, iconButton } from '../../parts/dom.ts';
import { showUnseen } from '../../parts/unseen.ts';
import type { QueuedView } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';

/** The questions that are asked when the answer has ended, each with a button that takes it back into the box. */
export interface Queue {
  readonly element: HTMLElement;
  update(queue: readonly QueuedView[]): void;
}

/** @param onTakenBack called when one is taken back: its button had the focus */
export function createQueue({ strings, post }: Page, onTakenBack: () => void): Queue {
  const list = element('ul', { class: 'queue', 'aria-label': strings['queued'] });
  let drawn = '';

  function row({ id, text }: QueuedView): HTMLElement {
    const shown = element('span', { class: 'queued-text', text, title: strings['queued'] });
    showUnseen(shown);
    const takeBack = (): void => {
      post({ type: 'takeBack', question: id });
      onTakenBack();
    };
    return element('li', {}, shown, iconButton('discard', strings['takeBack'] ?? '', takeBack));
  }

  return {
    element: list,
    update(queue) {
      const next = JSON.stringify(queue);
      if (next === drawn) return;
      drawn = next;
      list.hidden = queue.length === 0;
      list.replaceChildren(...queue.map(row));
    },
  };
}

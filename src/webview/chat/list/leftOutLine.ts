import { element } from '../../parts/dom.ts';
import type { WindowView } from '../../shared/fit.ts';
import type { Page } from '../page.ts';

/** The line in a conversation above which nothing is sent, or a summary. */
export interface LeftOutLine {
  /** @param first the element of the first message that is sent; undefined: all are */
  place(first: Element | undefined, view: WindowView | undefined): void;
}

export function createLeftOutLine({ strings, post }: Page): LeftOutLine {
  const text = element('span');
  const button = (name: string, type: 'summarise' | 'showSummary'): HTMLElement =>
    element('button', { type: 'button', text: strings[name], onclick: () => post({ type }) });
  const summarise = button('summarise', 'summarise');
  const show = button('showSummary', 'showSummary');
  const line = element('div', { class: 'left-out' }, text, summarise, show);
  return {
    place(first, view) {
      if (first === undefined || view === undefined) {
        line.remove();
        return;
      }
      text.textContent = strings[view.isSummarised ? 'summarised' : 'leftOut'] ?? '';
      show.hidden = !view.isSummarised;
      // A summary of what was left out since then.
      summarise.hidden = view.leftOut === 0;
      if (first.previousElementSibling !== line) first.before(line);
    },
  };
}

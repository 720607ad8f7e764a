import { element } from '../parts/dom.ts';
import type { Page } from './page.ts';

/** The line in a conversation above which nothing is sent. */
export interface LeftOutLine {
  /** @param first the element of the first message that is sent; undefined: all are */
  place(first: Element | undefined): void;
}

export function createLeftOutLine({ strings }: Page): LeftOutLine {
  const line = element('p', { class: 'left-out', text: strings['leftOut'] });
  return {
    place(first) {
      if (first === undefined) line.remove();
      else if (first.previousElementSibling !== line) first.before(line);
    },
  };
}

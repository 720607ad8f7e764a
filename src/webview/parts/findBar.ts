import type { Strings } from '../shared/protocol/protocol.ts';
import { element, iconButton } from './dom.ts';

/** The bar for a text to find, above where it is found. */
export interface FindBar {
  readonly element: HTMLElement;
  /** What is to be found; empty while the bar is closed. */
  readonly wanted: string;
  /** Opens the bar with a text in it, where there is one. */
  open(text: string): void;
  focus(): void;
  /** @param place which of the places that were found is shown, from 1; 0 where none is. Gives it in words */
  showPlace(place: number, of: number): string;
}

export interface FindActions {
  /** The text to find is another one; empty when the bar was closed. */
  changed(): void;
  step(step: 1 | -1): void;
  closed(): void;
}

/** What a bar has beside its box: before it, and in a row of its own below. */
export interface FindExtras {
  readonly before: HTMLElement;
  readonly below: HTMLElement;
}

export function createFindBar(strings: Strings, { changed, step, closed }: FindActions, extras?: FindExtras): FindBar {
  const input = element('input', {
    class: 'find-box',
    type: 'text',
    'aria-label': strings['find'],
    placeholder: strings['find'],
    spellcheck: 'false',
    maxlength: '1000',
  });
  const place = element('span', { class: 'find-place' });
  const previous = iconButton('arrow-up', strings['findPrevious'] ?? '', () => step(-1));
  const next = iconButton('arrow-down', strings['findNext'] ?? '', () => step(1));
  const close = iconButton('close', strings['findClose'] ?? '', () => end());
  const bar = element(
    'div',
    { class: 'find', role: 'search', hidden: true },
    ...(extras === undefined ? [] : [extras.before]),
    input,
    place,
    previous,
    next,
    close,
    ...(extras === undefined ? [] : [extras.below]),
  );

  function end(): void {
    bar.hidden = true;
    changed();
    closed();
  }

  input.addEventListener('input', changed);
  bar.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') end();
    else if (event.key === 'Enter' && event.target === input) step(event.shiftKey ? -1 : 1);
    else return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    event.preventDefault();
  });

  return {
    element: bar,
    get wanted() {
      return bar.hidden ? '' : input.value;
    },
    open(text) {
      bar.hidden = false;
      if (text !== '') input.value = text;
      changed();
    },
    focus() {
      input.focus();
      input.select();
    },
    showPlace(at, of) {
      const [none = '', some = ''] = [strings['findNone'], strings['findPlace']];
      place.textContent =
        input.value === ''
          ? ''
          : of === 0
            ? none
            : some.replace('{0}', at === 0 ? '?' : `${at}`).replace('{1}', `${of}`);
      previous.disabled = of === 0;
      next.disabled = of === 0;
      return place.textContent;
    },
  };
}

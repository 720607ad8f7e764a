import { iconButton } from '../../parts/dom.ts';
import type { Strings } from '../../shared/protocol/protocol.ts';

/** Whether long lines of code wrap or scroll: for all code of the page at once. */
export interface CodeWrap {
  readonly isOn: boolean;
  /** A button that switches it. */
  button(): HTMLButtonElement;
}

/** @param root gets the class `wraps-code`. @param onChange called when it was switched */
export function createCodeWrap(root: HTMLElement, strings: Strings, initial: boolean, onChange: () => void): CodeWrap {
  let isOn = initial;
  const mark = (button: Element): void => button.setAttribute('aria-pressed', String(isOn));
  const toggle = (): void => {
    isOn = !isOn;
    root.classList.toggle('wraps-code', isOn);
    for (const each of root.querySelectorAll('.toggle-wrap')) mark(each);
    onChange();
  };
  root.classList.toggle('wraps-code', isOn);
  return {
    get isOn() {
      return isOn;
    },
    button() {
      const made = iconButton('word-wrap', strings['toggleWrap'] ?? '', toggle);
      made.classList.add('toggle-wrap');
      mark(made);
      return made;
    },
  };
}

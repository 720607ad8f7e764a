import { element, iconButton } from '../../parts/dom.ts';
import type { PageContext } from '../pageContext.ts';

/** The row below the bar that finds: what is to stand in the place of what was found. */
export interface LineReplace {
  /** Shows the row, or takes it away. */
  readonly toggle: HTMLButtonElement;
  readonly element: HTMLElement;
  /** Shows the row; the keyboard stays where it is. */
  show(): void;
}

export interface ReplaceActions {
  /** Replaces the match that is shown, and goes to the next. */
  one(by: string): void;
  all(by: string): void;
}

export function createLineReplace({ strings }: PageContext, { one, all }: ReplaceActions): LineReplace {
  const input = element('input', {
    class: 'find-box',
    type: 'text',
    'aria-label': strings['replace'],
    placeholder: strings['replace'],
    maxlength: '1000',
  });
  const row = element(
    'div',
    { class: 'replace', hidden: true },
    input,
    iconButton('replace', strings['replaceOne'] ?? '', () => one(input.value)),
    iconButton('replace-all', strings['replaceAll'] ?? '', () => all(input.value)),
  );
  const toggle = iconButton('chevron-right', strings['showReplace'] ?? '', () => {
    setShown(row.hidden !== false);
    if (row.hidden === false) input.focus();
  });
  toggle.setAttribute('aria-expanded', 'false');

  function setShown(isShown: boolean): void {
    row.hidden = !isShown;
    toggle.setAttribute('aria-expanded', String(isShown));
  }

  row.addEventListener('keydown', (event) => {
    if (event.isComposing || event.key !== 'Enter' || event.target !== input) return;
    if ((event.ctrlKey || event.metaKey) && event.altKey) all(input.value);
    else one(input.value);
    event.stopPropagation();
    event.preventDefault();
  });

  return { toggle, element: row, show: () => setShown(true) };
}

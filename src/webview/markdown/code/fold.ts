import { element } from '../../parts/dom.ts';
import type { Strings } from '../../shared/protocol/protocol.ts';

/** Code of more lines than this can be folded; then so many are shown. */
const longest = 30;
const shown = 20;

/** Whether code is so long that it can be folded. */
export function isLong(text: string): boolean {
  return endOfLine(text, longest) < text.trimEnd().length;
}

/**
 * Fills a code block of which the first lines are shown, and gives the button that shows all. What is folded stays in the
 * page as text, for Copy and Find, but is not laid out or coloured.
 * @param draw gives a text as nodes
 */
export function foldCode(
  code: HTMLElement,
  text: string,
  draw: (text: string) => Node,
  strings: Strings,
  isFolded: boolean,
): HTMLElement {
  const count = text.replace(/\n$/, '').split('\n').length;
  const all = (strings['showAllLines'] ?? '').replace('{0}', String(count));
  const button = element('button', { class: 'fold', type: 'button', onclick: () => show(!isFolded) });

  function show(folds: boolean): void {
    isFolded = folds;
    const end = endOfLine(text, shown);
    if (folds) code.replaceChildren(draw(text.slice(0, end)), element('span', { hidden: true, text: text.slice(end) }));
    else code.replaceChildren(draw(text));
    button.textContent = folds ? all : (strings['showFewerLines'] ?? '');
    button.setAttribute('aria-expanded', String(!folds));
    // The button must not leave the place where it was pressed.
    if (folds && button.isConnected) button.scrollIntoView({ block: 'nearest' });
  }

  show(isFolded);
  return button;
}

/** Where so many lines end. */
function endOfLine(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

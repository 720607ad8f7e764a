import { longestText } from '../shared/textLimits.ts';
import { element } from './dom.ts';

/** A box for a message: Enter sends, Shift+Enter breaks the line. */
export function createBox(
  labels: { label?: string | undefined; placeholder?: string | undefined },
  text: string,
  send: () => void,
): HTMLTextAreaElement {
  const box = element('textarea', {
    class: 'box',
    rows: '1',
    'aria-label': labels.label,
    placeholder: labels.placeholder,
    maxlength: `${longestText}`,
  });
  box.value = text;
  box.addEventListener('keydown', (event) => {
    // Enter that ends a composition (Japanese, Chinese, …) belongs to the input method; 229 is its key code where a
    // browser ends the composition before the key.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    // A key that is held down would send on in the box that has the focus next.
    if (!event.repeat) send();
  });
  return box;
}

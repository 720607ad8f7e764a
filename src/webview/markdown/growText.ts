import { element } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';

/** Characters that are added at once: the page lays them out in one go. */
const mostAtOnce = 32 * 1024;
/**
 * A long text stands in parts of about this length, in characters, each of whole lines (of words where there are no lines, but
 * in code): one that is full is laid out once.
 */
const longPart = 16 * 1024;

/** The result. `more`: there is more than is added at once. `other`: the text is another one. */
export type Grown = 'all' | 'more' | 'other';

/**
 * Adds to an element the new part of its text: to write all of it again would cost more with every piece, and lose the
 * selection.
 */
export function growText(target: HTMLElement, text: string): Grown {
  const drawn = target.textContent ?? '';
  if (!text.startsWith(drawn)) return 'other';
  const end = cut(text, drawn.length + mostAtOnce);
  let piece = text.slice(drawn.length, end);
  let part = target.querySelector<HTMLElement>(':scope > .lines:last-child') ?? target;
  const line = piece.indexOf('\n') + 1 || (target.matches('code') ? 0 : piece.indexOf(' ') + 1);
  if (line > 0 && (part.textContent ?? '').length > longPart) {
    add(part, piece.slice(0, line));
    piece = piece.slice(line);
    part = element('span', { class: 'lines' });
    target.append(part);
  }
  add(part, piece);
  return end === text.length ? 'all' : 'more';
}

function add(part: HTMLElement, piece: string): void {
  if (piece === '') return;
  const more = document.createDocumentFragment();
  more.append(piece);
  showUnseen(more);
  part.append(more);
}

/** Where a text can be cut without parting the halves of a character. */
function cut(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

import { element } from './dom.ts';

/**
 * Characters that are invisible or turn the direction of the text: as `editor/text/plainText.ts` has them, but for white space,
 * for those that scripts and emoji need, and for the pictures of fonts.
 */
const unseen = String.raw`[[\p{Cc}--[\t\n\f\r]]\u{AD}\u{61C}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]`;
const any = new RegExp(unseen, 'v');
const runs = new RegExp(`(${unseen}+)`, 'v');
/** The most characters of a run that are named. */
const mostNamed = 8;

/**
 * Shows such characters in the texts under `root` as what they are, each held in an element of its own, where it turns nothing
 * around it. The text itself stays as it was, for Copy and Insert. What is marked already, as the code of a block is, stays.
 */
export function showUnseen(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (any.test(text.data) && text.parentElement?.className !== 'unseen') found.push(text);
  }
  for (const text of found) text.replaceWith(...marked(text.data));
}

/** A run of such characters becomes one mark, however long: an answer may be full of them. */
function marked(text: string): (Node | string)[] {
  return text.split(runs).map((part, index) => (index % 2 === 0 ? part : mark(part)));
}

function mark(text: string): HTMLElement {
  const codes = Array.from(text.slice(0, mostNamed * 2), (letter) =>
    (letter.codePointAt(0) ?? 0).toString(16).toUpperCase(),
  );
  const named = codes.slice(0, mostNamed).map((code) => `\\u{${code.padStart(4, '0')}}`);
  const all = named.join('') + (codes.length > mostNamed ? '…' : '');
  return element('span', { class: 'unseen', 'data-unseen': all, text });
}

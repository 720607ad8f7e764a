import { element } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import { type Grown, growText } from './grow.ts';

/** The longest block, in characters, that is drawn as Markdown; a longer one is shown as is, as parsing it would hold the page up. */
export const longestBlock = 64 * 1024;

/** A block that is shown as it was written. */
export function plainBlock(block: string): DocumentFragment {
  const nodes = document.createDocumentFragment();
  nodes.append(element('p', { class: 'plain', text: block }));
  showUnseen(nodes);
  return nodes;
}

/** Shows a long open block as it was written, or adds to it what is new. */
export function growPlain(openPart: HTMLElement, open: string): Grown {
  const plain = openPart.querySelector<HTMLElement>(':scope > .plain:only-child');
  const grown = plain === null ? 'other' : growText(plain, open);
  if (grown !== 'other') return grown;
  const begun = element('p', { class: 'plain' });
  openPart.replaceChildren(begun);
  return growText(begun, open);
}

/**
 * Adds to an open code block the text that is new: drawing it again would lose the user's selection in it and cost more with
 * every line. `other` when the open block is anything else.
 */
export function growCode(openPart: HTMLElement, open: string): Grown {
  const code = openPart.querySelector<HTMLElement>(':scope > .code:only-child code');
  const fence = /^(`{3,}(?!`)|~{3,}(?!~))[ \t]*([^\s`]*)(?=\s)[^`\n]*\n/.exec(open);
  const marker = fence?.[1];
  if (code === null || fence === null || marker === undefined) return 'other';
  if (code.parentElement?.getAttribute('data-language') !== fence[2]) return 'other';
  const body = open.slice(fence[0].length);
  const closes = new RegExp(`^ {0,3}${marker[0]}{${marker.length},}`, 'm').test(body);
  return closes ? 'other' : growText(code, body);
}

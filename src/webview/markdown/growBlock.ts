import { element } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import { readBlock, readFenceLine } from '../shared/markdownFences.ts';
import { fenceInfo } from './code/fenceInfo.ts';
import { type Grown, growText } from './growText.ts';

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

/** The line that begins fenced code. */
const fence = /^(`{3,}(?!`)|~{3,}(?!~))([^`\n]*)\n/;

/** The line with which a block of code begins; undefined for any other block. */
export function openingFence(block: string): string | undefined {
  return fence.exec(block)?.[0];
}

/**
 * Adds to an open code block the text that is new: drawing it again would lose the user's selection in it and cost more with
 * every line. `other` when the open block is anything else, or one that has its end and is short enough to be drawn again.
 */
export function growCode(openPart: HTMLElement, open: string): Grown {
  const code = openPart.querySelector<HTMLElement>(':scope > .code:only-child code');
  const [line, , info = ''] = fence.exec(open) ?? [];
  if (code === null || line === undefined) return 'other';
  if (code.parentElement?.getAttribute('data-language') !== fenceInfo(info).language) return 'other';
  const body = open.slice(line.length);
  const end = endOfBlock(line, body);
  if (end !== undefined && open.length <= shortCode) return 'other';
  return growText(code, body.slice(0, end));
}

/** Where the block closes in the text behind its first line; undefined where it is open. */
function endOfBlock(first: string, body: string): number | undefined {
  const opening = readFenceLine(first.trimEnd());
  if (opening === undefined) return undefined;
  const ends = [...body.matchAll(/^ {0,3}(?:`{3}|~{3}).*$/gm)];
  const { end, isClosed } = readBlock((at) => ends[at]?.[0] ?? '', opening, 0, ends.length, false);
  return isClosed ? ends[end]?.index : undefined;
}

/** The longest code, in characters, that is drawn again as a whole. */
export const shortCode = 16 * 1024;

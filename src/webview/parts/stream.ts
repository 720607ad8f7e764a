import type { MarkdownIt } from 'markdown-it';
import remend, { INCOMPLETE_IMAGE_PLACEHOLDER } from 'remend';
import type { Strings } from '../shared/protocol.ts';
import { type BlockSplitter, createBlockSplitter } from './blocks.ts';
import { type CodeActions, dressCodeBlocks } from './codeBlock.ts';
import { element } from './dom.ts';
import { type Grown, growText } from './grow.ts';
import { sanitise } from './markdown.ts';
import { showUnseen } from './unseen.ts';

/** Markdown that grows on the page: closed blocks are drawn once and left alone, only the open one is drawn again. */
export interface MarkdownStream {
  readonly element: HTMLElement;
  /**
   * Takes the whole text so far. `ended`: nothing more will come, so the open block closes as well. False when there was more
   * than can be drawn in one go: the rest comes with the next update.
   */
  update(text: string, ended: boolean): boolean;
}

/** @param mark called with each block that is at its end, before it is on the page */
export function createMarkdownStream(
  markdown: MarkdownIt,
  actions: CodeActions,
  strings: Strings,
  mark: (nodes: DocumentFragment) => void,
): MarkdownStream {
  const closedPart = element('div', { class: 'markdown-blocks' });
  const openPart = element('div', { class: 'markdown-blocks' });
  const root = element('div', { class: 'markdown' }, closedPart, openPart);
  /** Link definitions hold for the blocks that follow them. */
  const environment = {};
  let splitter: BlockSplitter = createBlockSplitter(markdown);
  let shown = '';
  /** Length of the text that has been drawn. */
  let read = 0;

  /** @param colour whether it is at its end: code is coloured, names of files are marked */
  const draw = (block: string, colour: boolean): DocumentFragment => {
    if (block.length > longestBlock) return plainBlock(block);
    const nodes = sanitise(markdown.render(block, environment));
    dressCodeBlocks(nodes, actions, strings, colour);
    for (const part of nodes.querySelectorAll(directed)) part.setAttribute('dir', 'auto');
    if (colour) mark(nodes);
    showUnseen(nodes);
    return nodes;
  };

  /** @param isAll whether the text goes no further. False when there is more than is drawn at once. */
  function drawOpen(open: string, sameBlock: boolean, ended: boolean, isAll: boolean): boolean {
    const isLong = open.length > longestBlock;
    let grown: Grown = ended && !isLong ? 'other' : growOpenCode(openPart, open, sameBlock);
    // Long code that came at once is drawn as an empty block, and grows from then on.
    const fence = /^(?:`{3,}|~{3,})[^\n]*\n/.exec(open)?.[0];
    if (grown === 'other' && fence !== undefined && open.length > shortBlock) {
      openPart.replaceChildren(draw(fence, false));
      grown = growOpenCode(openPart, open, true);
    }
    if (grown === 'other' && isLong) grown = growPlain(openPart, open);
    if (grown === 'other' && (isAll || open.length <= shortBlock))
      openPart.replaceChildren(draw(ended ? open : tidy(open), ended));
    // The open block of before is among the closed ones now.
    else if (grown === 'other' && !sameBlock) openPart.replaceChildren();
    return isAll && grown !== 'more';
  }

  return {
    element: root,
    update(text, ended) {
      if (!text.startsWith(shown)) {
        splitter = createBlockSplitter(markdown);
        closedPart.replaceChildren();
        read = 0;
      }
      shown = text;
      const until = performance.now() + longestUpdate;
      for (let sameBlock = true; ; ) {
        read = Math.min(text.length, read + stepLength);
        const isAll = read === text.length;
        const closes = ended && isAll;
        const { closed, open } = splitter.split(text.slice(0, read), closes);
        for (const blocks of inGroups(closed)) closedPart.append(draw(blocks, true));
        if (closed.length > 0) sameBlock = false;
        if (isAll || performance.now() > until) return drawOpen(open, sameBlock, closes, isAll);
      }
    },
  };
}

/** Blocks of text, each of which goes the way of its first letter. */
const directed = 'p, h1, h2, h3, h4, h5, h6, li, blockquote, th, td';

/** The longest open block, in characters, whose end is tidied: the library's time grows faster than the text. */
const longestTidied = 2 * 1024;

/** A block whose marks at the end have no partner yet: stars become bold text, a link without its address its words. */
function tidy(open: string): string {
  if (open.length > longestTidied) return open;
  // What is an element or a formula elsewhere is text here; a mark that cannot be seen would be shown as one.
  const asText = {
    htmlTags: false,
    katex: false,
    comparisonOperators: false,
    singleTilde: false,
    setextHeadings: false,
  };
  const tidied = remend(open, { linkMode: 'text-only', ...asText });
  return tidied.includes(INCOMPLETE_IMAGE_PLACEHOLDER) ? open : tidied;
}

/** Characters of a text that are split in one step. */
const stepLength = 4 * 1024;
/** Time after which an update leaves the rest to the next, in milliseconds. */
const longestUpdate = 16;

/** Small blocks that follow each other are drawn as one: each drawing costs more than a line of text. */
function inGroups(blocks: readonly string[]): string[] {
  const groups: string[] = [];
  for (const block of blocks) {
    const last = groups.at(-1) ?? '';
    if (groups.length > 0 && last.length + block.length <= stepLength) groups[groups.length - 1] = last + block;
    else groups.push(block);
  }
  return groups;
}

/** The longest open block, in characters, that is drawn before there is time for all the text that came. */
const shortBlock = 16 * 1024;

/** The longest block, in characters, that is drawn as Markdown; a longer one is shown as is, as parsing it would hold the page up. */
const longestBlock = 64 * 1024;

function plainBlock(block: string): DocumentFragment {
  const nodes = document.createDocumentFragment();
  nodes.append(element('p', { class: 'plain', text: block }));
  showUnseen(nodes);
  return nodes;
}

/** A long open block, shown as it was written. */
function growPlain(openPart: HTMLElement, open: string): Grown {
  const plain = openPart.querySelector<HTMLElement>(':scope > .plain:only-child');
  const grown = plain === null ? 'other' : growText(plain, open);
  if (grown !== 'other') return grown;
  const begun = element('p', { class: 'plain' });
  openPart.replaceChildren(begun);
  return growText(begun, open);
}

/**
 * A long open code block only gets the text that is new: drawing it again would lose the user's selection in it and cost
 * more with every line. `other` when the open block is anything else.
 */
function growOpenCode(openPart: HTMLElement, open: string, sameBlock: boolean): Grown {
  const code = openPart.querySelector<HTMLElement>(':scope > .code:only-child code');
  const fence = /^(`{3,}(?!`)|~{3,}(?!~))[ \t]*([^\s`]*)(?=\s)[^`\n]*\n/.exec(open);
  const marker = fence?.[1];
  if (!sameBlock || code === null || fence === null || marker === undefined) return 'other';
  if (code.parentElement?.getAttribute('data-language') !== fence[2]) return 'other';
  const body = open.slice(fence[0].length);
  const closes = new RegExp(`^ {0,3}${marker[0]}{${marker.length},}`, 'm').test(body);
  return closes ? 'other' : growText(code, body);
}

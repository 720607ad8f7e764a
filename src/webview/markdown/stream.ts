import type { MarkdownIt } from 'markdown-it';
import remend, { INCOMPLETE_IMAGE_PLACEHOLDER } from 'remend';
import { element } from '../parts/dom.ts';
import { type BlockSplitter, createBlockSplitter } from './blocks.ts';
import { growCode, growPlain, longestBlock, openingFence, shortCode } from './growBlock.ts';
import type { Grown } from './growText.ts';
import { lateDefinitions } from './rules/lateDefinitions.ts';

/** Markdown that grows on the page: closed blocks are drawn once and left alone, only the open one is drawn again. */
export interface MarkdownStream {
  readonly element: HTMLElement;
  /**
   * Takes the whole text so far. `ended`: nothing more will come, so the open block closes as well. False when there was more
   * than can be drawn in one go: the rest comes with the next update.
   */
  update(text: string, ended: boolean): boolean;
}

/** Draws blocks. `closed`: they are at their end. */
export type DrawBlocks = (blocks: string, closed: boolean) => DocumentFragment;

/**
 * @param begin gives what draws the blocks of one text, with the definitions of links that come later than their use: anew for a text
 * that does not go on from the one before, or that turns out to have such definitions when it has ended
 */
export function createMarkdownStream(markdown: MarkdownIt, begin: (definitions: string) => DrawBlocks): MarkdownStream {
  let definitions = '';
  let draw = begin(definitions);
  const closedPart = element('div', { class: 'markdown-blocks' });
  const openPart = element('div', { class: 'markdown-blocks' });
  let splitter: BlockSplitter = createBlockSplitter(markdown);
  let shown = '';
  /** Length of the text that has been split, its closed blocks that are not drawn yet, and the open rest. */
  let read = 0;
  let waiting: string[] = [];
  let open = '';
  /** Whether the text was split to its end. */
  let isSplit = false;
  /** Whether all of the text is on the page, for good. */
  let isDone = false;
  /** Whether the text had ended when it was last taken. */
  let isEnded = false;
  /** Whether the open block on the page has closed since. It stays until it is drawn as such. */
  let isStale = false;

  function reset(): void {
    draw = begin(definitions);
    splitter = createBlockSplitter(markdown);
    closedPart.replaceChildren();
    openPart.replaceChildren();
    read = 0;
    isSplit = false;
    waiting = [];
  }

  function step(ended: boolean): void {
    if (waiting.length > 0) {
      closedPart.append(draw(takeGroup(waiting), true));
      if (isStale) openPart.replaceChildren();
      isStale = false;
      return;
    }
    read = Math.min(shown.length, read + stepLength);
    isSplit = ended && read === shown.length;
    const split = splitter.split(shown.slice(0, read), isSplit);
    waiting = split.closed;
    open = split.open;
    isStale = waiting.length > 0;
  }

  /** @param isAll whether the text goes no further. False when there is more than is drawn at once. */
  function drawOpen(ended: boolean, isAll: boolean): boolean {
    const fence = openingFence(open);
    const isLong = open.length > longestBlock && fence === undefined;
    if (ended && !isLong) {
      openPart.replaceChildren(draw(open, true));
      return true;
    }
    let grown: Grown = growCode(openPart, open);
    // Long code that came at once is drawn as an empty block, and grows from then on.
    if (grown === 'other' && fence !== undefined && open.length > shortCode) {
      openPart.replaceChildren(draw(fence, false));
      grown = growCode(openPart, open);
    }
    if (grown === 'other' && isLong) grown = growPlain(openPart, open);
    if (grown === 'other' && isAll) openPart.replaceChildren(draw(tidy(open), false));
    return isAll && grown !== 'more';
  }

  return {
    element: element('div', { class: 'markdown' }, closedPart, openPart),
    update(given, ended) {
      const text = withoutColours(given);
      // Drawn again, the last block would lose what the user did in it.
      if (isDone && ended && text === shown) return true;
      const late = ended && (!isEnded || text !== shown) ? lateDefinitions(text) : definitions;
      isEnded = ended;
      const isOther = late !== definitions || !text.startsWith(shown);
      definitions = late;
      if (isOther) reset();
      shown = text;
      const until = performance.now() + longestUpdate;
      const hasMore = (): boolean => waiting.length > 0 || read < text.length || (ended && !isSplit);
      while (hasMore()) {
        step(ended);
        if (performance.now() > until) break;
      }
      if (waiting.length > 0) return false;
      const isAll = read === text.length;
      const isDrawn = drawOpen(ended && isAll, isAll);
      isDone = ended && isDrawn;
      return isDrawn;
    },
  };
}

/** The longest open block, in characters, whose end is tidied: the library's time grows faster than the text. */
const longestTidied = 2 * 1024;

/** A block whose marks at the end have no partner yet: stars become bold text, a link without its address its words. A formula stays as it is. */
function tidy(open: string): string {
  if (open.length > longestTidied || /^ {0,3}(?:\$\$|\\\[)/.test(open)) return open;
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
/** Time after which an update leaves the rest to the next, in milliseconds: layout and painting take as long again. */
const longestUpdate = 8;
/** Small blocks that follow each other are drawn as one, up to this length: each drawing costs more than a line of text. */
const groupLength = 1024;
/** Takes the first blocks off the list, joined. */
function takeGroup(blocks: string[]): string {
  let group = blocks.shift() ?? '';
  while (blocks[0] !== undefined && group.length + blocks[0].length <= groupLength) group += blocks.shift();
  return group;
}

/**
 * Codes of terminals for colours and links, and the part of one at the end of a text that grows. Others stay to be seen: they do
 * something to a terminal into which the text is put.
 */
const [start, bell] = ['\u001b', '\u0007'];
const colours = new RegExp(
  `${start}(?:\\[[\\d;:]{0,40}(?:[mK]|$)|\\]8;[^${bell}${start}]{0,2000}(?:${bell}|${start}(?:\\\\|$)|$)|\\]8?$|$)`,
  'g',
);

/** What a terminal shows of a text: models repeat its output with all codes in it. */
function withoutColours(text: string): string {
  return text.includes(start) ? text.replace(colours, '') : text;
}

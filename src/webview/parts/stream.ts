import type { MarkdownIt } from 'markdown-it';
import type { Strings } from '../protocol.ts';
import { type BlockSplitter, createBlockSplitter } from './blocks.ts';
import { type CodeActions, dressCodeBlocks } from './codeBlock.ts';
import { element } from './dom.ts';
import { sanitise } from './markdown.ts';

/** Markdown that grows on the page: closed blocks are drawn once and left alone, only the open one is drawn again. */
export interface MarkdownStream {
  readonly element: HTMLElement;
  /** Takes the whole text so far. `ended`: nothing more will come, so the open block closes as well. */
  update(text: string, ended: boolean): void;
}

export function createMarkdownStream(markdown: MarkdownIt, actions: CodeActions, strings: Strings): MarkdownStream {
  const closedPart = element('div', { class: 'markdown-blocks' });
  const openPart = element('div', { class: 'markdown-blocks' });
  const root = element('div', { class: 'markdown' }, closedPart, openPart);
  /** Link definitions hold for the blocks that follow them. */
  const environment = {};
  let splitter: BlockSplitter = createBlockSplitter(markdown);
  let shown = '';

  const draw = (block: string, colour: boolean): DocumentFragment => {
    const nodes = sanitise(markdown.render(block, environment));
    dressCodeBlocks(nodes, actions, strings, colour);
    return nodes;
  };

  return {
    element: root,
    update(text, ended) {
      if (!text.startsWith(shown)) {
        splitter = createBlockSplitter(markdown);
        closedPart.replaceChildren();
      }
      shown = text;
      const { closed, open } = splitter.split(text);
      for (const block of closed) closedPart.append(draw(block, true));
      if (!ended && growOpenCode(openPart, open, closed.length === 0)) return;
      openPart.replaceChildren(draw(open, ended));
    },
  };
}

/**
 * A long open code block only gets the text that is new: drawing it again would lose the user's selection in it and cost
 * more with every line. False when the open block is anything else.
 */
function growOpenCode(openPart: HTMLElement, open: string, sameBlock: boolean): boolean {
  const code = openPart.querySelector(':scope > .code:only-child code');
  const fence = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*\n/.exec(open);
  const marker = fence?.[1];
  if (!sameBlock || code === null || fence === null || marker === undefined) return false;
  if (code.parentElement?.getAttribute('data-language') !== fence[2]) return false;
  const drawn = code.textContent ?? '';
  const body = open.slice(fence[0].length);
  const closes = new RegExp(`^ {0,3}${marker[0]}{${marker.length},}`, 'm').test(body);
  if (closes || !body.startsWith(drawn)) return false;
  code.append(body.slice(drawn.length));
  return true;
}

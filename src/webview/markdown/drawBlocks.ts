import type { MarkdownIt } from 'markdown-it';
import { showUnseen } from '../parts/unseen.ts';
import { longestBlock, openingFence, plainBlock } from './growBlock.ts';
import type { FenceEnvironment } from './rules/nestedFences.ts';
import { sanitise } from './sanitise.ts';
import type { DrawBlocks } from './stream.ts';

/** A step in which the nodes of blocks get what their HTML cannot say. `closed`: the blocks are at their end. */
export type Dress = (nodes: DocumentFragment, closed: boolean) => void;

/** Blocks of text, each of which goes the way of its first letter. */
const directed = 'p, h1, h2, h3, h4, h5, h6, li, blockquote, th, td';

/** Draws the blocks of one answer. @param definitions those of links that come later than their use */
export function createDrawBlocks(markdown: MarkdownIt, dress: readonly Dress[], definitions = ''): DrawBlocks {
  /** Link definitions hold for the blocks that follow them. */
  const environment: FenceEnvironment = {};
  if (definitions !== '') markdown.parse(definitions, environment);
  return (blocks, closed) => {
    if (blocks.length > longestBlock && openingFence(blocks) === undefined) return plainBlock(blocks);
    environment.isWhole = closed;
    const nodes = sanitise(markdown.render(blocks, environment));
    for (const part of nodes.querySelectorAll(directed)) part.setAttribute('dir', 'auto');
    for (const step of dress) step(nodes, closed);
    showUnseen(nodes);
    return nodes;
  };
}

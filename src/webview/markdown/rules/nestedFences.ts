import type { MarkdownIt, StateBlock } from 'markdown-it';
import { readBlock, readFenceLine } from '../../shared/markdownFences.ts';

/** What a text is drawn with. `isWhole`: the text goes no further. */
export type FenceEnvironment = Record<PropertyKey, unknown> & { isWhole?: boolean };

/** Blocks of code as edits read them: a fence with a language inside a block opens a block within it. */
export function addNestedFences(markdown: MarkdownIt): void {
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  markdown.block.ruler.at('fence', readNested, { alt });
}

function readNested(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  const lineAt = (line: number): string => {
    // A line that is indented so far is code of another kind.
    const isFar = (state.sCount[line] ?? 0) - state.blkIndent >= 4;
    const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
    return isFar ? '' : state.src.slice(from, state.eMarks[line]);
  };
  const opening = readFenceLine(lineAt(first));
  if (opening === undefined) return false;
  if (silent) return true;
  const { isWhole = false } = state.env as FenceEnvironment;
  let block = readBlock(lineAt, opening, first + 1, last, isWhole);
  // Looked for within the block alone: each block of a long text would else be looked through to the end of the text.
  const outside = endOfContainer(state, first + 1, block.end);
  if (outside < block.end) block = readBlock(lineAt, opening, first + 1, outside, isWhole);
  const { start, end, info, isClosed } = block;
  const token = state.push('fence', 'code', 0);
  token.info = info;
  token.content = state.getLines(start, end, state.sCount[first] ?? 0, true);
  token.markup = opening.ticks;
  state.line = end + (isClosed ? 1 : 0);
  token.map = [first, state.line];
  return true;
}

/** A line that stands further left than a list or a quote ends what is in it. */
function endOfContainer(state: StateBlock, from: number, last: number): number {
  for (let line = from; line < last; line++) {
    const isBlank = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0) >= (state.eMarks[line] ?? 0);
    if (!isBlank && (state.sCount[line] ?? 0) < state.blkIndent) return line;
  }
  return last;
}

import type { StateBlock } from 'markdown-it';

/** The text of a line of a block, without the indentation of the block and its own. */
export function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

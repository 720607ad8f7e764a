import type { MarkdownIt, Token } from 'markdown-it';

/** Splits Markdown that is still growing into blocks that cannot change any more, and the open rest. */
export interface BlockSplitter {
  /**
   * Takes the whole text so far, which must begin with the text given before. Gives the blocks that closed since; in a
   * long text not after each piece, but when it has `ended` at the latest.
   */
  split(text: string, ended: boolean): { closed: string[]; open: string };
}

/** Length of a long block, in characters. */
const longBlock = 16 * 1024;

/**
 * A top-level block is closed when another one has begun on a whole line: text that comes later cannot reach it. The
 * last line counts only once it is whole, because `2` is a paragraph and `2. b` goes on with a list.
 */
export function createBlockSplitter(markdown: MarkdownIt): BlockSplitter {
  let done = 0;
  /** Length of the text when it was last looked at. */
  let seen = 0;
  return {
    split(text, ended) {
      const rest = text.slice(done);
      // A long block is parsed again only when it has grown by some share: else each piece would cost all the text before it.
      if (!ended && rest.length > longBlock && text.length - seen < rest.length / 16) {
        return { closed: [], open: rest };
      }
      seen = text.length;
      const whole = rest.slice(0, rest.lastIndexOf('\n') + 1);
      const starts = blockStarts(markdown, whole);
      const closed = starts.slice(1).map((start, i) => whole.slice(starts[i], start));
      done += starts.at(-1) ?? 0;
      return { closed, open: text.slice(done) };
    },
  };
}

/** Where the top-level blocks of a text begin; the first begins at 0 whatever comes before it. */
function blockStarts(markdown: MarkdownIt, text: string): number[] {
  const lines = lineStarts(text);
  const tokens: Token[] = [];
  // The contents of blocks do not matter here, and are most of the work.
  markdown.block.parse(text.replaceAll('\r\n', '\n'), markdown, {}, tokens);
  const starts = tokens
    .filter((token) => token.level === 0 && token.nesting !== -1 && token.map !== null)
    .map((token) => lines[token.map?.[0] ?? 0] ?? 0);
  return [0, ...starts.slice(1)];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

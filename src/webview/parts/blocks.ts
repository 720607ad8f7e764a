import type { MarkdownIt } from 'markdown-it';

/** Splits Markdown that is still growing into blocks that cannot change any more, and the open rest. */
export interface BlockSplitter {
  /** Takes the whole text so far, which must begin with what was given before. Gives the blocks that closed since. */
  split(text: string): { closed: string[]; open: string };
}

/**
 * A top-level block is closed when another one has begun on a whole line: text that comes later cannot reach it. The
 * last line counts only once it is whole, because `2` is a paragraph and `2. b` goes on with a list.
 */
export function createBlockSplitter(markdown: MarkdownIt): BlockSplitter {
  let done = 0;
  return {
    split(text) {
      const rest = text.slice(done);
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
  const starts = markdown
    .parse(text, {})
    .filter((token) => token.level === 0 && token.nesting !== -1 && token.map !== null)
    .map((token) => lines[token.map?.[0] ?? 0] ?? 0);
  return [0, ...starts.slice(1)];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

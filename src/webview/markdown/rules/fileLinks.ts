import type { MarkdownIt, StateInline } from 'markdown-it';
import { readFileName } from '../../shared/fileName.ts';

/** The longest link, in characters: each bracket without an end would else be looked for to the end of the text. */
const longestLink = 600;

/**
 * Links to files as models write them: with spaces, and with the `\` of Windows, which Markdown takes for an escape or for no link at
 * all: `[f](folder/Stored Procedures/f.sql)`, `[a](C:\p\a.ts)`.
 */
export function addFileLinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'file_link', (state, silent) => {
    if (state.src[state.pos] !== '[') return false;
    const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
    if (labelEnd < 0 || state.src[labelEnd + 1] !== '(') return false;
    const start = labelEnd + 2;
    const end = closingBracket(state.src, start);
    const target = state.src.slice(start, Math.max(start, end)).trim();
    // All others are links of Markdown already.
    if (end < 0 || !/[\s\\]/.test(target) || /["'<]/.test(target) || readFileName(target, 'label') === undefined)
      return false;
    if (!silent) pushLink(state, target, state.pos + 1, labelEnd);
    state.pos = end + 1;
    return true;
  });
}

function pushLink(state: StateInline, target: string, first: number, last: number): void {
  const { posMax } = state;
  state.push('link_open', 'a', 1).attrs = [['href', target]];
  state.pos = first;
  state.posMax = last;
  state.linkLevel++;
  state.md.inline.tokenize(state);
  state.linkLevel--;
  state.push('link_close', 'a', -1);
  state.posMax = posMax;
}

/** Where the bracket that is open closes, on the same line; -1 where it does not. */
function closingBracket(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + longestLink); at++) {
    const sign = text[at];
    if (sign === '\n') return -1;
    if (sign === '(') depth++;
    if (sign === ')' && --depth === 0) return at;
  }
  return -1;
}

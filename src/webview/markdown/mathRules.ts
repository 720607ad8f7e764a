import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { lineOf } from './blockLine.ts';

/** The longest formula, in characters, that is read as one: it is drawn in one go. */
const longestFormula = 3_000;

/**
 * Formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` alone. The parser leaves their source in an element, which
 * `formulas.ts` draws once the block is closed. A price stays text.
 */
export function addMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', readInline);
  markdown.block.ruler.before('fence', 'math_block', readBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules['math'] = (tokens, index) => `<span class="math">${escapeHtml(tokens[index]?.content ?? '')}</span>`;
  rules['math_block'] = (tokens, index) => `<div class="math block">${escapeHtml(tokens[index]?.content ?? '')}</div>`;
  rules['math_text'] = (tokens, index) => `<p class="plain">${escapeHtml(tokens[index]?.content ?? '')}</p>`;
}

const closers: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $$: '$$' };

function readInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const first = src[pos];
  if (first !== '$' && first !== '\\') return false;
  const closer = closers[src.slice(pos, pos + 2)];
  const end = closer === undefined ? endOfDollars(state) : endOfMarked(state, closer);
  if (end === undefined || end - pos > longestFormula) return false;
  if (!silent) state.push('math', 'span', 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

/** Where a formula between two marks ends; undefined where it has no end, or nothing in it. */
function endOfMarked(state: StateInline, closer: string): number | undefined {
  const at = nextOf(state, closer, state.pos + 2);
  return at === -1 || state.src.slice(state.pos + 2, at).trim() === '' ? undefined : at + 2;
}

/** Where the next of these marks is; looked for once for all that come before it. */
function nextOf(state: StateInline, mark: string, from: number): number {
  const known: Record<string, number> = (nextMarks.get(state) ?? nextMarks.set(state, {}).get(state)) as Record<
    string,
    number
  >;
  const last = known[mark];
  if (last === undefined || (last !== -1 && last < from)) known[mark] = state.src.indexOf(mark, from);
  return known[mark] ?? -1;
}
const nextMarks = new WeakMap<StateInline, Record<string, number>>();

/** A number with words behind it, and no sign of a formula, is a price. */
const isPrice = (tex: string): boolean => /^\d/.test(tex) && /\s/.test(tex) && !/[\\^_={}+*/<>]/.test(tex);

/**
 * Where `$…$` ends: as in Pandoc, no space stands within beside a dollar, and no digit behind the second. Nor does a word, as in
 * `$HOME/$USER`, but for `$n$th`; nor what goes on with a variable or a command of a shell, as in `${HOME}/${USER}`.
 */
function endOfDollars({ src, pos }: StateInline): number | undefined {
  if (src[pos] !== '$' || /[\w$]/.test(src[pos - 1] ?? '') || /[\s$]/.test(src[pos + 1] ?? ' ')) return undefined;
  let end = pos + 1;
  while (end < src.length && end - pos <= longestFormula && src[end] !== '$') end += src[end] === '\\' ? 2 : 1;
  const tex = src.slice(pos + 1, end);
  if (src[end] !== '$' || /\s$|`/.test(tex) || isPrice(tex)) return undefined;
  if (src[end + 1] === '{' || (src[end + 1] === '(' && /^\(|[/:=.,;"'-]$/.test(tex))) return undefined;
  return /^(?!(?:th|st|nd|rd|s)\b)\w/.test(src.slice(end + 1, end + 5)) ? undefined : end + 1;
}

/**
 * A mark at the start of a line begins a block, which goes to its partner at the end of a line. Where that is missing, or still
 * to come, the block is text and goes to the next empty line: what a line begins must not depend on lines that come later.
 */
function readBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineOf(state, startLine);
  const opener = first.slice(0, 2);
  const closer = opener === '\\(' ? undefined : closers[opener];
  if (closer === undefined) return false;
  const rest = first.slice(2);
  const isOneLine = rest.includes(closer);
  if (isOneLine && !endsWith(rest, closer)) return false;
  if (silent) return true;
  const end = isOneLine ? startLine + 1 : endOfBlock(state, startLine, endLine, closer);
  const source = state.getLines(startLine, end, state.blkIndent, false).trim();
  const isEnded = source.endsWith(closer) && source.slice(2, -2).trim() !== '';
  const isFormula = isEnded && source.length <= longestFormula;
  const token = state.push(isFormula ? 'math_block' : 'math_text', isFormula ? 'div' : 'p', 0);
  token.block = true;
  token.content = source;
  token.map = [startLine, end];
  state.line = end;
  return true;
}

/** The line after a block that begins with a mark. */
function endOfBlock(state: StateBlock, startLine: number, endLine: number, closer: string): number {
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) {
    if (endsWith(lineOf(state, line++), closer)) break;
  }
  return line;
}

/** Whether a line ends with a mark, and has no other. */
function endsWith(text: string, mark: string): boolean {
  const line = text.trimEnd();
  return line.endsWith(mark) && line.indexOf(mark) === line.length - mark.length;
}

import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { lineOf } from './blockLine.ts';

/** The label of a footnote, in its reference and its text. */
const label = String.raw`\[\^([^\s[\]^]{1,64})\]`;
const definition = new RegExp(`^${label}:[ \\t]*`);
const reference = new RegExp(label, 'y');

/**
 * `[^1]` and `[^1]: text`. A footnote is drawn where it is written: answers are drawn block by block, so that none can wait for
 * the end. A reference stays the text it is until its footnote is there (`footnotes.ts`): `[^a-z]` is none.
 */
export function addFootnotes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'footnote', readFootnote, { alt: ['paragraph', 'reference'] });
  markdown.inline.ruler.after('image', 'footnote_reference', readReference);
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules['footnote_open'] = (tokens, index) =>
    `<div class="footnote" data-note="${escapeHtml(tokens[index]?.content ?? '')}">`;
  rules['footnote_close'] = () => '</div>';
  rules['footnote_reference'] = (tokens, index) => {
    const name = escapeHtml(tokens[index]?.content ?? '');
    return `<span data-note-of="${name}">[^${name}]</span>`;
  };
}

function readFootnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineOf(state, startLine);
  const [mark, name] = definition.exec(first) ?? [];
  // The text of a footnote holds no other: each would be a parser in a parser.
  if (mark === undefined || name === undefined || state.env.inFootnote === true) return false;
  if (silent) return true;
  const end = endOf(state, startLine, endLine);
  const rest = state.getLines(startLine + 1, end, state.blkIndent, false).replaceAll(/^ {1,4}/gm, '');
  const content: Token[] = [];
  state.env.inFootnote = true;
  state.md.block.parse([first.slice(mark.length), rest].join('\n'), state.md, state.env, content);
  state.env.inFootnote = false;
  state.line = end;
  const open = state.push('footnote_open', 'div', 1);
  open.content = name;
  open.map = [startLine, end];
  for (const token of content) {
    token.level += state.level;
    token.map = null;
    state.tokens.push(token);
  }
  state.push('footnote_close', 'div', -1);
  return true;
}

/** The line after a footnote: lines below it belong to it until one is empty, and after that those that are indented. */
function endOf(state: StateBlock, startLine: number, endLine: number): number {
  const terminators = state.md.block.ruler.getRules('paragraph');
  let end = startLine + 1;
  for (let line = end; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    const isIndented = (state.sCount[line] ?? 0) - state.blkIndent >= 4;
    const isNext = line === end && !terminators.some((rule) => rule(state, line, endLine, true));
    if (!isIndented && !isNext) break;
    end = line + 1;
  }
  return end;
}

function readReference(state: StateInline, silent: boolean): boolean {
  reference.lastIndex = state.pos;
  const [mark, name] = reference.exec(state.src) ?? [];
  if (mark === undefined || name === undefined) return false;
  if (!silent) state.push('footnote_reference', 'span', 0).content = name;
  state.pos += mark.length;
  return true;
}

import { ServiceError } from '../base/errors.ts';
import { splitLines } from '../base/lines.ts';
import { declined } from '../service/chat/completion.ts';

/** A model's whole answer to an edit question. */
export interface EditAnswer {
  text: string;
  /** The model's words in place of an edit; empty where it did not decline. */
  refusal?: string | undefined;
  /** `finish_reason` as the service gave it; undefined where it gave none. */
  finishReason?: string | undefined;
  /** The address that was called, for an error. */
  url?: string | undefined;
}

/**
 * The lines that take the place of the selected lines; none means they are to be deleted.
 * Indentation and blank lines at the borders stay as they were in the selection. Throws `truncated` for an answer that
 * is cut off or leaves lines out, `content-filter` for one the service stopped, `declined` with the model's words for one it
 * did not want to give, `malformed` for an empty one.
 */
export function planEdit(answer: EditAnswer, selected: readonly string[]): string[] {
  const { finishReason, refusal = '', url } = answer;
  if (finishReason === 'length' || finishReason === 'max_tokens') throw new ServiceError('truncated', { url });
  if (finishReason === 'content_filter') throw new ServiceError('content-filter', { url });
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (answer.text.trim() === '') throw new ServiceError('malformed', { url });
  const code = readCode(splitLines(answer.text));
  if (code === undefined || leavesLinesOut(code, selected)) throw new ServiceError('truncated', { url });
  const inner = trimBlankLines(code);
  if (inner.lines.length === 0) return [];
  const border = trimBlankLines(selected);
  if (border.lines.length === 0) return inner.lines;
  return [
    ...selected.slice(0, border.start),
    ...matchIndentation(inner.lines, selected),
    ...selected.slice(border.start + border.lines.length),
  ];
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;

/**
 * The content of the first fenced block, or the whole answer if there is none; undefined if the block never ends.
 * A fence with a language inside a block opens a block within it: models wrap Markdown in a fence that is too short.
 */
function readCode(lines: readonly string[]): string[] | undefined {
  const fences = lines.flatMap((line, at) => {
    const [, ticks = '', language = ''] = fenceLine.exec(line) ?? [];
    return ticks === '' ? [] : [{ at, ticks, language: language.trim() }];
  });
  const opening = fences.shift();
  if (opening === undefined) return [...lines];
  let depth = 1;
  for (const { at, language } of fences.filter((each) => each.ticks.startsWith(opening.ticks))) {
    depth += language === '' ? -1 : 1;
    if (depth === 0) return lines.slice(opening.at + 1, at);
  }
  return undefined;
}

const omission =
  /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*|;|%)\s*(?:\.\.\.|…).*\b(?:existing|rest|remaining|unchanged|same|previous|other)\b/i;

/** Finds a comment with which a model abridges, such as `// ... rest of the code`; to apply that would delete code. */
function leavesLinesOut(code: readonly string[], selected: readonly string[]): boolean {
  return code.some((line) => omission.test(line) && !selected.some((old) => old.trim() === line.trim()));
}

/** The lines without blank ones at both ends, and how many were taken off at the start. */
function trimBlankLines(lines: readonly string[]): { lines: string[]; start: number } {
  const isText = (line: string): boolean => line.trim() !== '';
  const start = lines.findIndex(isText);
  return start < 0 ? { lines: [], start: 0 } : { lines: lines.slice(start, lines.findLastIndex(isText) + 1), start };
}

/**
 * Puts the selection's indentation back where the model took it off. It did if more lines are found in the selection
 * with the indentation than without it; where no line is found either way, lines at the left border decide.
 */
function matchIndentation(lines: string[], selected: readonly string[]): string[] {
  const indentation = commonIndentation(selected);
  if (indentation === '' || commonIndentation(lines) !== '') return lines;
  const indented = lines.map((line) => (line.trim() === '' ? line : indentation + line));
  const known = new Set(selected.filter((line) => line.trim() !== ''));
  const count = (candidates: string[]): number => candidates.filter((line) => known.has(line)).length;
  const [asTheyAre, shifted] = [count(lines), count(indented)];
  return shifted > asTheyAre || (shifted === 0 && asTheyAre === 0) ? indented : lines;
}

/** The white space that every line with text begins with. */
function commonIndentation(lines: readonly string[]): string {
  const starts = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  return starts.reduce((common, start) => {
    let length = 0;
    while (length < common.length && common[length] === start[length]) length++;
    return common.slice(0, length);
  }, starts[0] ?? '');
}

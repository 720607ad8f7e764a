import { type LinePosition, splitLines, type TextChange } from '../../../base/lines.ts';
import { bandOf } from '../../../webview/shared/confidenceBands.ts';
import type { AnswerWord } from '../answerWords.ts';
import { percentOf, type WordConfidence } from '../wordConfidence.ts';
import type { CodeLine } from './codeLines.ts';

/** A word of an answer in a document: it stands there as the model wrote it. */
export interface LineMark {
  /** From 0, as are the characters, in UTF-16 units. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly text: string;
  readonly percent: number | undefined;
  /** From 0, which is not marked, to 4. */
  readonly band: number;
  readonly word: Pick<WordConfidence, 'tokens'>;
}

/**
 * The marks of the words on one line of a document.
 * @param code the line of the answer that it is
 * @param start where in the document's line the text of the line of code begins
 */
export function marksOfLine(code: CodeLine, words: readonly AnswerWord[], line: number, start: number): LineMark[] {
  const marks: LineMark[] = [];
  const codeEnd = code.at + code.text.length;
  for (let index = firstEndingAfter(words, code.at); index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.start >= codeEnd) break;
    const from = Math.max(word.start, code.at) - code.at;
    const shown = code.text.slice(from, Math.min(word.end, codeEnd) - code.at);
    const text = shown.trim();
    if (text === '' || word.probability === undefined) continue;
    const own = start + from + shown.indexOf(text);
    const percent = percentOf(word.probability);
    const { tokens } = word;
    marks.push({ line, start: own, end: own + text.length, text, percent, band: bandOf(percent), word: { tokens } });
  }
  return marks;
}

function firstEndingAfter(words: readonly AnswerWord[], at: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The marks as they are after a change of the document. Those of words that were changed are gone. */
export function moveMarks(marks: readonly LineMark[], { start, end, text }: TextChange): LineMark[] {
  const added = splitLines(text);
  const last = added.at(-1) ?? '';
  const by = added.length - 1 - (end.line - start.line);
  const shift = (added.length === 1 ? start.character : 0) + last.length - end.character;
  return marks.flatMap((mark) => {
    const isBefore = mark.line < start.line || (mark.line === start.line && mark.end <= start.character);
    if (isBefore) {
      const touches = mark.line === start.line && mark.end === start.character;
      return touches && isJoined(mark.text, text) ? [] : [mark];
    }
    const isBehind = mark.line > end.line || (mark.line === end.line && mark.start >= end.character);
    if (!isBehind) return [];
    if (mark.line !== end.line) return [by === 0 ? mark : { ...mark, line: mark.line + by }];
    if (mark.start === end.character && isJoined(text, mark.text)) return [];
    return [{ ...mark, line: mark.line + by, start: mark.start + shift, end: mark.end + shift }];
  });
}

/** Whether two texts make one word, or one character, where they meet. */
function isJoined(one: string, other: string): boolean {
  if (/^(?:\p{M}|\p{EMod}|\u200D)/u.test(other) || one.endsWith('\u200D')) return true;
  return /[\p{L}\p{M}\p{N}_]$/u.test(one) && /^[\p{L}\p{N}_]/u.test(other);
}

/**
 * The next mark of an unsure word behind a selection, or the one before it; from the last one to the first, and back.
 * @param threshold in percent: what is below it is unsure
 */
export function nextUnsure(
  marks: readonly LineMark[],
  selection: { readonly start: LinePosition; readonly end: LinePosition },
  by: 1 | -1,
  threshold: number,
): LineMark | undefined {
  const unsure = marks
    .filter(({ percent }) => (percent ?? 100) < threshold)
    .toSorted((a, b) => a.line - b.line || a.start - b.start);
  const { start, end } = selection;
  const isBehind = (mark: LineMark): boolean => (mark.line - end.line || mark.start - end.character) >= 0;
  const isBefore = (mark: LineMark): boolean => (mark.line - start.line || mark.start - start.character) < 0;
  return by === 1 ? (unsure.find(isBehind) ?? unsure[0]) : (unsure.findLast(isBefore) ?? unsure.at(-1));
}

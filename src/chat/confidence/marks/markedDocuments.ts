import { splitLines, type TextChange } from '../../../base/lines.ts';
import type { TokenLogprob } from '../../../service/chat/completion.ts';
import { type AnswerWord, answerWords } from '../answerWords.ts';
import { type CodeLine, codeLines, fewestOfLine, matchLines } from './codeLines.ts';
import { type LineMark, marksOfLine, moveMarks } from './lineMarks.ts';

/** Bounds of what is kept: documents with marks, words with a mark in each, and pieces of code that may still be inserted. */
const mostDocuments = 20;
const mostMarks = 10_000;
const mostPieces = 20;
/** The longest text that is looked at when it comes into a document, in characters. */
const longestInserted = 1_000_000;

/** Which words of documents are from an answer, and how sure the model was of them. */
export interface MarkedDocuments {
  /**
   * Code is about to be inserted or applied. Where nothing is known of it, it is not taken for the code of another answer either.
   * @param tokens of the answer; empty where none are known
   * @param code as it stands in the answer; without it, any code of the answer
   */
  expect(answer: string, tokens: readonly TokenLogprob[], code?: string): void;
  /** Takes in changes of a document, the last one first, as VS Code tells them. Gives whether marks came or went. */
  change(document: string, changes: readonly TextChange[]): boolean;
  /** A document was opened with a text, which is marked where it is the code that is expected. */
  open(document: string, text: string): boolean;
  close(document: string): void;
  of(document: string): readonly LineMark[];
}

/** Code of an answer, and its words where they are known. */
interface ExpectedCode {
  readonly answer: string;
  readonly code: string | undefined;
  readonly lines: readonly CodeLine[];
  readonly words: readonly AnswerWord[];
}

export function createMarkedDocuments(): MarkedDocuments {
  const marked = new Map<string, readonly LineMark[]>();
  let expected: ExpectedCode[] = [];

  function keep(document: string, marks: readonly LineMark[]): void {
    marked.delete(document);
    if (marks.length > 0) marked.set(document, marks.slice(0, mostMarks));
    for (const oldest of marked.keys()) {
      if (marked.size <= mostDocuments) break;
      marked.delete(oldest);
    }
  }

  return {
    expect(answer, tokens, code) {
      const others = expected.filter((each) => each.answer !== answer || each.code !== code);
      const words = answerWords(answer, tokens)?.words ?? [];
      const lines = codeLines(answer, code);
      if (lines === undefined) return;
      expected = [{ answer, code, lines, words }, ...others].slice(0, mostPieces);
    },
    change(document, changes) {
      const before = marked.get(document) ?? [];
      let marks: readonly LineMark[] = before;
      let isOther = false;
      for (const change of changes) {
        const moved = moveMarks(marks, change);
        const fresh = freshMarks(change, expected);
        isOther ||= moved.length < marks.length || fresh.length > 0;
        marks = fresh.length === 0 ? moved : [...moved, ...fresh];
      }
      if (before.length > 0 || marks.length > 0) keep(document, marks);
      return isOther;
    },
    open(document, text) {
      if (marked.has(document)) return false;
      const isWhole = ({ lines }: ExpectedCode): boolean =>
        lines
          .map((line) => line.text)
          .join('\n')
          .trim() === withoutIndentation(text);
      const start = { line: 0, character: 0 };
      const fresh = freshMarks({ start, end: start, text }, expected.filter(isWhole));
      if (fresh.length > 0) keep(document, fresh);
      return fresh.length > 0;
    },
    close: (document) => void marked.delete(document),
    of: (document) => marked.get(document) ?? [],
  };
}

function withoutIndentation(text: string): string {
  return splitLines(text)
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** The marks of what was inserted, of the code that most of its lines are from. */
function freshMarks({ start, text }: TextChange, expected: readonly ExpectedCode[]): LineMark[] {
  if (expected.length === 0 || text.length > longestInserted || text.trim().length < fewestOfLine) return [];
  const lines = splitLines(text);
  let best: { readonly count: number; readonly marks: () => LineMark[] } | undefined;
  for (const { lines: code, words } of expected) {
    const matched = matchLines(code, lines);
    const count = matched.filter((line) => line !== undefined).length;
    if (count <= (best?.count ?? 0)) continue;
    best = {
      count,
      marks: () =>
        matched.flatMap((own, index) => {
          const line = lines[index] ?? '';
          if (own === undefined) return [];
          const indentation = line.length - line.trimStart().length;
          const character = indentation + (index === 0 ? start.character : 0);
          return marksOfLine(own, words, start.line + index, character);
        }),
    };
  }
  return best?.marks() ?? [];
}

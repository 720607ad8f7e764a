import { createThoughtSplitter } from '../../service/chat/completion.ts';
import type { ChangedFile } from './changedFiles.ts';
import type { WrittenFinding } from './findingLine.ts';
import { placeFinding } from './placeFinding.ts';
import { mostRead, type ReviewFinding } from './reviewFinding.ts';
import { createWrittenFindings, type OpenFinding } from './writtenFindings.ts';

/** Reads findings out of an answer while it comes. */
export interface FindingsReader {
  /** Takes a piece of the answer, cut anywhere. @returns whether the findings changed */
  push(piece: string): boolean;
  /** What came so far is no part of the answer. */
  restart(): void;
  /** The answer is whole: its last line counts, too. */
  end(): void;
  /** The findings so far, each since its line has ended. A text may still grow by the lines below it. */
  readonly findings: readonly ReviewFinding[];
  /** Whether the answer says in words that there is nothing to remark. */
  readonly saysNothing: boolean;
}

/** Reads a whole answer. @param files all that the diff holds */
export function readFindings(answer: string, files: readonly ChangedFile[]): readonly ReviewFinding[] {
  const reader = createFindingsReader(files);
  reader.push(answer);
  reader.end();
  return reader.findings;
}

export function createFindingsReader(files: readonly ChangedFile[]): FindingsReader {
  const lines = createWrittenFindings(files);
  let rest = '';
  let taken = '';

  function restart(): void {
    lines.restart();
    rest = '';
  }

  function readText(text: string): void {
    const parts = text.split('\n');
    parts.forEach((part, at) => {
      if (rest.length < mostRead.line) rest = (rest + part).slice(0, mostRead.line);
      if (at === parts.length - 1) return;
      lines.readLine(rest.replace(/\r$/, ''));
      rest = '';
    });
  }

  const answer = createThoughtSplitter(
    {
      onText: readText,
      onThought: () => {},
      onCall: () => {},
      onReplaced(text) {
        restart();
        readText(text);
      },
    },
    () => taken,
  );

  return {
    push(piece) {
      const added = piece.slice(0, mostRead.answer - taken.length);
      taken += added;
      answer.take(added);
      return lines.takeChange();
    },
    restart,
    end() {
      answer.end(true);
      if (rest !== '') lines.readLine(rest);
      rest = '';
    },
    get findings() {
      return distinct(lines.written);
    },
    get saysNothing() {
      return lines.saysNothing;
    },
  };
}

/** The findings that say something, each once, at their places. */
function distinct(written: readonly OpenFinding[]): ReviewFinding[] {
  const found = new Map<string, ReviewFinding>();
  for (const each of written) {
    if (each.text === '' || found.size >= mostRead.findings) continue;
    each.shown ??= show(each);
    if (!found.has(each.shown.key)) found.set(each.shown.key, each.shown.finding);
  }
  return [...found.values()];
}

function show({ file, named, severity, text }: WrittenFinding): NonNullable<OpenFinding['shown']> {
  const finding = { path: file.path, severity, text, ...placeFinding(file, named) };
  const words = text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();
  return { finding, key: [file.path, finding.first, finding.last, words].join('\0') };
}

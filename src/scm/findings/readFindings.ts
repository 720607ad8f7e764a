import { createThoughtSplitter } from '../../service/chat/completion.ts';
import type { ChangedFile } from './changedFiles.ts';
import { createFileNames, type FileNames } from './fileNames.ts';
import { readAnswerLine, type WrittenFinding } from './findingLine.ts';
import { readFindingObject } from './findingObject.ts';
import { createObjectScanner } from './jsonObjects.ts';
import { type FindingLines, placeFinding } from './placeFinding.ts';
import type { Severity } from './severity.ts';

/** A remark of a model on lines of a change. Lines are those of the new file, from 1. */
export interface ReviewFinding extends FindingLines {
  /** Path as the diff has it. */
  readonly path: string;
  readonly severity: Severity | undefined;
  /** The model's words, in one or several lines. */
  readonly text: string;
}

/** The most that is read: findings, the characters of each, those of a line, and those of an answer. */
export const mostRead = { findings: 200, text: 2_000, line: 500_000, answer: 1_000_000 } as const;

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

/** A finding whose text may still grow. */
interface OpenFinding extends WrittenFinding {
  text: string;
  /** The finding as it is given to others, and a key that it shares with the same one in other marks; made when first asked for. */
  shown?: { readonly finding: ReviewFinding; readonly key: string } | undefined;
}

const fence = /^\s*(?:`{3,}|~{3,})/;
const nothing =
  /^\W{0,8}(?:there (?:are|is) |i (?:see|found|find) |found )?(?:no (?:\w{1,12} )?(?:findings?|issues?|problems?|remarks?|concerns?|defects?)|nothing to (?:remark|report|note)|lgtm|none)\b|\[\s{0,8}\]/i;

export function createFindingsReader(files: readonly ChangedFile[]): FindingsReader {
  const names: FileNames = createFileNames(files);
  const scanner = createObjectScanner();
  let written: OpenFinding[] = [];
  /** The finding that lines below belong to. */
  let open: OpenFinding | undefined;
  let heading: ChangedFile | undefined;
  let isFenced = false;
  let afterBlank = false;
  let saysNothing = false;
  let rest = '';
  let length = 0;
  let isChanged = false;
  let taken = '';

  function start(finding: WrittenFinding): OpenFinding {
    const added = { ...finding, text: cutText(finding.text) };
    // Several findings may be the same, so more are kept than are shown.
    if (written.length < mostRead.findings * 5) written.push(added);
    isChanged = true;
    return added;
  }

  function readLine(line: string): void {
    const isBlank = line.trim() === '';
    const wasBlank = afterBlank;
    afterBlank = isBlank;
    if (isBlank) return;
    if (fence.test(line)) {
      if (isFenced) open = undefined;
      isFenced = !isFenced;
      return;
    }
    const found = readAnswerLine(line, names, heading);
    if (found !== undefined) {
      scanner.reset();
      if ('heading' in found) heading = found.heading;
      open = 'finding' in found ? start(found.finding) : undefined;
      return;
    }
    if (nothing.test(line)) saysNothing = true;
    if (scanner.isOpen || /^\s*[[{]/.test(line)) readJson(line);
    else goOn(line, wasBlank);
  }

  function readJson(line: string): void {
    open = undefined;
    for (const object of scanner.push(line)) {
      const finding = readFindingObject(object, names);
      if (finding !== undefined) start(finding);
    }
  }

  /** A line that may belong to the finding above it: not below a blank line, unless it is indented or the text is yet to begin. */
  function goOn(line: string, wasBlank: boolean): void {
    if (open === undefined) return;
    if (wasBlank && open.text !== '' && !/^\s{2}/.test(line)) open = undefined;
    else {
      const text = cutText(open.text === '' ? line.trim() : `${open.text}\n${line.trim()}`);
      if (text === open.text) return;
      isChanged = true;
      open.text = text;
      open.shown = undefined;
    }
  }

  function restart(): void {
    isChanged ||= written.length > 0;
    written = [];
    rest = '';
    open = undefined;
    heading = undefined;
    isFenced = false;
    saysNothing = false;
    scanner.reset();
  }

  function readText(text: string): void {
    const lines = text.split('\n');
    lines.forEach((part, at) => {
      if (rest.length < mostRead.line) rest = (rest + part).slice(0, mostRead.line);
      if (at === lines.length - 1) return;
      readLine(rest.replace(/\r$/, ''));
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
      isChanged = false;
      const added = piece.slice(0, Math.max(0, mostRead.answer - length));
      taken += added;
      answer.take(added);
      length += piece.length;
      return isChanged;
    },
    restart,
    end() {
      answer.end(true);
      if (rest !== '') readLine(rest);
      rest = '';
    },
    get findings() {
      return distinct(written);
    },
    get saysNothing() {
      return saysNothing;
    },
  };
}

function cutText(text: string): string {
  return text.length > mostRead.text ? `${text.slice(0, mostRead.text - 1)}…` : text;
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

import type { ChangedFile } from './changedFiles.ts';
import { createFileNames } from './fileNames.ts';
import { readAnswerLine, type WrittenFinding } from './findingLine.ts';
import { readFindingObject } from './findingObject.ts';
import { createObjectScanner } from './jsonObjects.ts';
import { mostRead, type ReviewFinding } from './reviewFinding.ts';

/** A finding whose text may still grow. */
export interface OpenFinding extends WrittenFinding {
  text: string;
  /** The finding as it is given to others, and a key that it shares with the same one in other marks; made when first asked for. */
  shown?: { readonly finding: ReviewFinding; readonly key: string } | undefined;
}

/** The findings in the lines of an answer, as they come. */
export interface WrittenFindings {
  readLine(line: string): void;
  /** What came so far is no part of the answer. */
  restart(): void;
  readonly written: readonly OpenFinding[];
  /** Whether the answer says in words that there is nothing to remark. */
  readonly saysNothing: boolean;
  /** Whether the findings are others since this was asked last. */
  takeChange(): boolean;
}

const fence = /^\s*(?:`{3,}|~{3,})/;
const nothing =
  /^\W{0,8}(?:there (?:are|is) |i (?:see|found|find) |found )?(?:no (?:\w{1,12} )?(?:findings?|issues?|problems?|remarks?|concerns?|defects?)|nothing to (?:remark|report|note)|lgtm|none)\b|\[\s{0,8}\]/i;

export function createWrittenFindings(files: readonly ChangedFile[]): WrittenFindings {
  const names = createFileNames(files);
  const scanner = createObjectScanner();
  let written: OpenFinding[] = [];
  /** The finding that lines below belong to. */
  let open: OpenFinding | undefined;
  let heading: ChangedFile | undefined;
  let isFenced = false;
  let afterBlank = false;
  let saysNothing = false;
  let isChanged = false;

  function start(finding: WrittenFinding): OpenFinding {
    const added = { ...finding, text: cutText(finding.text) };
    // Several findings may be the same, so more are kept than are shown.
    if (written.length < mostRead.findings * 5) written.push(added);
    isChanged = true;
    return added;
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

  return {
    readLine(line) {
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
    },
    restart() {
      isChanged ||= written.length > 0;
      written = [];
      open = undefined;
      heading = undefined;
      isFenced = false;
      saysNothing = false;
      scanner.reset();
    },
    get written() {
      return written;
    },
    get saysNothing() {
      return saysNothing;
    },
    takeChange() {
      const was = isChanged;
      isChanged = false;
      return was;
    },
  };
}

function cutText(text: string): string {
  return text.length > mostRead.text ? `${text.slice(0, mostRead.text - 1)}…` : text;
}

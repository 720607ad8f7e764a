import type { LineRange } from '../../base/lines.ts';
import type { ChangedFile } from './changedFiles.ts';
import type { FileNames } from './fileNames.ts';
import { type Severity, takeSeverity } from './severity.ts';

/** A finding as it was written. Lines are from 1; undefined where none were named. */
export interface WrittenFinding {
  readonly file: ChangedFile;
  readonly named: LineRange | undefined;
  readonly severity: Severity | undefined;
  /** Empty where the text begins in the next line. */
  readonly text: string;
}

/** What a line of an answer holds: a finding, the name of the file that findings below are for, or words. */
export type AnswerLine = { readonly finding: WrittenFinding } | { readonly heading: ChangedFile } | undefined;

/** What stands before a path: marks of lists, headings, quotes, tables, code and bold; `File:`. */
const mark = /^(?:[\s>*_`"'#+•–|[\]().\d-]|(?:file|path)\s{0,2}:)/i;
const mostMarks = 24;
/** The part of a line in which path and lines are looked for, in characters. */
const headLength = 600;
const mostPlaces = 24;

const number = String.raw`(\d{1,7})(?:\s{0,2}(?:[-–—]|to|\.\.)\s{0,2}L?(\d{1,7})|:\d{1,7}(?:[-–]\d{1,7})?)?(?!\w|\.\w)`;
/** Where lines may be named behind a path: `:12`, `:12-14`, `:12:5`, `#L12`, `(line 12)`, `, lines 12 to 14`, `| 12`. */
const behindPath = new RegExp(
  String.raw`[\`*_"')\]]{0,4}(?:\s{0,3}[:#,(|[]\s{0,3}|\s{1,3})(?:lines?\s{0,2}|L)?${number}`,
  'gi',
);
/** What ends the place, and divides it from the text. A text may begin with a dot or a mark of code. */
const divider = /^[*_`"')\]]{0,8}(?:\s{0,3}(?:[:|,–—-]|\.(?=\s))){0,3}\s{0,8}/;
/** Lines without a path, below the name of a file. */
const linesAlone = new RegExp(String.raw`^[\s>*_\`"+•–[(-]{0,12}(lines?\s{0,2}|L)?${number}`, 'i');

/** Reads a line in any of the forms in which models name a place. @param current the file whose name stood above */
export function readAnswerLine(line: string, names: FileNames, current: ChangedFile | undefined): AnswerLine {
  const head = line.slice(0, headLength);
  let tries = 0;
  for (const match of head.matchAll(behindPath)) {
    if (++tries > mostPlaces) break;
    const file = fileBefore(head.slice(0, match.index), names);
    if (file === undefined) continue;
    const before = severityBefore(head.slice(0, match.index)).severity;
    const { severity, text } = readText(line.slice(match.index + match[0].length), line);
    return { finding: { file, named: rangeOf(match[1], match[2]), severity: severity ?? before, text } };
  }
  return readAlone(line, current) ?? readWithoutLines(head, line, names);
}

/** `Line 12: bug: …` below a file's name; a bare number only with a severity. */
function readAlone(line: string, file: ChangedFile | undefined): AnswerLine {
  const match = file === undefined ? null : linesAlone.exec(line);
  if (file === undefined || match === null) return undefined;
  const { severity, text } = readText(line.slice(match[0].length), line);
  if (match[1] === undefined && severity === undefined) return undefined;
  return { finding: { file, named: rangeOf(match[2], match[3]), severity, text } };
}

/** `path: bug: …` for a file as a whole, or a path that stands alone. */
function readWithoutLines(head: string, line: string, names: FileNames): AnswerLine {
  let tries = 0;
  for (const { index } of head.matchAll(/:/g)) {
    if (++tries > mostPlaces) break;
    const file = fileBefore(head.slice(0, index), names);
    if (file === undefined) continue;
    const { severity, text } = readText(line.slice(index), line);
    if (severity !== undefined) return { finding: { file, named: undefined, severity, text } };
  }
  const heading = fileBefore(head.replace(/[\s:*_`#|)\]"']{1,12}$/, ''), names);
  return heading && { heading };
}

/** The file named at the end of what stands before its lines, behind marks and a severity. */
function fileBefore(written: string, names: FileNames): ChangedFile | undefined {
  const end = written.trimEnd().replace(/[*_`"')\]]{1,4}$/, '');
  if (!names.mayEnd(end)) return undefined;
  let name = severityBefore(end).rest;
  for (let count = 0; name !== '' && count <= mostMarks; count++) {
    const file = names.find(name);
    if (file !== undefined) return file;
    const found = mark.exec(name);
    if (found === null) return undefined;
    name = name.slice(found[0].length);
  }
  return undefined;
}

function severityBefore(written: string): ReturnType<typeof takeSeverity> {
  return takeSeverity(written.replace(/^[\s>*+•–-]{1,12}/, ''));
}

function readText(behind: string, line: string): { severity: Severity | undefined; text: string } {
  const bare = behind.replace(/^\]\([^()]{0,300}\)/, '').replace(divider, '');
  const { severity, rest } = takeSeverity(bare);
  // A string of a JSON list, and the last cell of a table, end with marks of their own.
  const ending = /^\s*["']/.test(line) ? /["'],?\s{0,8}$/ : /^\s*\|/.test(line) ? /\|\s{0,8}$/ : undefined;
  const text = ending === undefined ? rest : rest.replace(ending, '');
  return { severity, text: text.trim() };
}

function rangeOf(from: string | undefined, to: string | undefined): LineRange {
  const first = Number(from);
  return { first, last: to === undefined ? first : Number(to) };
}

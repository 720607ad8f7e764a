import type { LineRange } from '../../base/lines.ts';
import type { FileNames } from './fileNames.ts';
import type { WrittenFinding } from './findingLine.ts';
import { severityOf } from './severity.ts';

const members = {
  file: ['path', 'file', 'filename', 'filePath', 'file_path'],
  first: ['line', 'startLine', 'start_line', 'lineStart', 'line_start', 'lineNumber', 'line_number', 'lines', 'start'],
  last: ['endLine', 'end_line', 'lineEnd', 'line_end', 'end'],
  severity: ['severity', 'level', 'type', 'kind', 'category'],
  text: ['message', 'comment', 'text', 'description', 'body', 'finding', 'issue', 'title'],
} as const;

/** A finding that was written as a JSON object; undefined where it names no file of the diff, or says nothing. */
export function readFindingObject(
  object: Readonly<Record<string, unknown>>,
  names: FileNames,
): WrittenFinding | undefined {
  const value = (of: keyof typeof members): unknown =>
    members[of].map((name) => object[name]).find((each) => each != null);
  const [written, text] = [value('file'), value('text')];
  if (typeof written !== 'string' || typeof text !== 'string' || text.trim() === '') return undefined;
  const [, path = written, inPath] = /^(.{1,1000}?)(?::|#L)(\d[\d-]{0,15})$/.exec(written) ?? [];
  const file = names.find(written) ?? names.find(path);
  if (file === undefined) return undefined;
  const named = rangeFrom(value('first') ?? inPath, value('last'));
  return { file, named, severity: severityOf(value('severity')), text: text.trim() };
}

/** @param start a number, `"12"`, `"12-14"` or `[12, 14]` */
function rangeFrom(start: unknown, end: unknown): LineRange | undefined {
  const [from, to] = Array.isArray(start) ? start : String(start ?? '').split(/[-–]/);
  const first = lineOf(from);
  return first === undefined ? undefined : { first, last: lineOf(end ?? to) ?? first };
}

function lineOf(value: unknown): number | undefined {
  const line =
    typeof value === 'number' ? value : Number(/^\s*L?(\d{1,7})\s*$/i.exec(String(value ?? ''))?.[1] ?? Number.NaN);
  return Number.isInteger(line) && line > 0 && line < 10_000_000 ? line : undefined;
}

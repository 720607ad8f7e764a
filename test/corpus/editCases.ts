/** The answers to edits in `test/corpus/edits/`, each with the files before it and what is meant. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitLines } from '../../src/base/lines.ts';
import { resolveAnswer } from '../../src/edits/answer/resolveAnswer.ts';
import { applyLineEdits } from '../../src/edits/place/lineEdit.ts';

export interface EditCase {
  /** `elided/tide-clock`. */
  readonly name: string;
  readonly form: string;
  readonly language: string;
  readonly way: 'edit' | 'apply' | 'answer';
  readonly path: string | undefined;
  /** Lines from 1, both included. */
  readonly selection: { readonly first: number; readonly last: number } | undefined;
  readonly isCut: boolean;
  readonly expect: 'applied' | 'nothing' | 'unresolved';
  readonly answer: string;
  /** Texts with the line ends and the byte order mark that the case is about, by path. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

const folder = join(import.meta.dirname, 'edits');

export function readEditCases(): EditCase[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) =>
      readCase(name.replace(/\.txt$/, '').replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')),
    );
}

function readCase(name: string, text: string): EditCase {
  const [head = '', ...sections] = text.split(/^@@@@ /m);
  const header = new Map(
    head
      .trim()
      .split('\n')
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
      }),
  );
  const ending = (content: string): string => {
    const open = header.get('end') === 'open' ? content.replace(/\n$/, '') : content;
    const lines = header.get('eol') === 'crlf' ? open.replaceAll('\n', '\r\n') : open;
    return header.get('bom') === 'yes' ? `\uFEFF${lines}` : lines;
  };
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  let answer = '';
  for (const section of sections) {
    const end = section.indexOf('\n');
    const [title = '', path] = section
      .slice(0, end)
      .trim()
      .split(/\s+(.*)/);
    const content = section.slice(end + 1);
    if (title === 'answer') answer = content.replace(/\n$/, '');
    else (title === 'before' ? before : after).set(path ?? header.get('path') ?? '', ending(content));
  }
  const [first, last = first] = (header.get('selection') ?? '').split('-').map(Number);
  return {
    name,
    form: name.split('/')[0] ?? '',
    language: header.get('language') ?? '',
    way: header.get('way') as EditCase['way'],
    path: header.get('path'),
    selection: header.has('selection') ? { first: first ?? 0, last: last ?? 0 } : undefined,
    isCut: header.get('finish') === 'length',
    expect: header.get('expect') as EditCase['expect'],
    answer,
    before,
    after,
  };
}

/** What came of a case: as meant; not applied though it was meant to be; applied otherwise than meant. */
export type Verdict = 'right' | 'missed' | 'wrong';

/** The texts of files after an answer, by path; undefined where nothing is proposed. */
export type ApplyAnswer = (one: EditCase) => ReadonlyMap<string, string> | undefined;

export function judge(one: EditCase, apply: ApplyAnswer): Verdict {
  const result = apply(one);
  if (one.expect !== 'applied') return result === undefined ? 'right' : 'wrong';
  if (result === undefined) return 'missed';
  const isMeant = [...one.after].every(([path, text]) => result.get(path) === text);
  return isMeant && result.size === one.after.size ? 'right' : 'wrong';
}

/** Applies an answer the way Parley does. */
export function applyResolved(one: EditCase): ReadonlyMap<string, string> | undefined {
  const files = new Map([...one.before].map(([path, text]) => [path, splitLines(withoutMark(text))]));
  const selection = one.selection && { first: one.selection.first - 1, last: one.selection.last - 1 };
  const context = { files, path: one.path, selection, isCode: one.way === 'apply', isCut: one.isCut };
  const resolution = resolveAnswer(one.answer, context);
  if (resolution.kind !== 'edits') return undefined;
  const result = new Map(one.before);
  const eol = [...one.before.values()].some((text) => text.includes('\r\n')) ? '\r\n' : '\n';
  for (const { path, edits } of resolution.files) {
    const old = one.before.get(path) ?? '';
    const lines = applyLineEdits(files.get(path) ?? [], edits);
    const isNew = !one.before.has(path);
    result.set(
      path,
      (old.startsWith('\uFEFF') ? '\uFEFF' : '') + lines.join(eol) + (isNew && lines.at(-1) !== '' ? eol : ''),
    );
  }
  return result;
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** The answers to edits in `test/corpus/edits/`, each with the files before it and what is meant. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitLines } from '../../src/base/lines.ts';
import { diffHunks, type Hunk } from '../../src/edits/diff.ts';
import { applyLineEdits } from '../../src/edits/place/lines/lineEdit.ts';
import {
  type EditChange,
  type EditPlan,
  planAnswer,
  planChanges,
  planCode,
  planEdit,
  planFurther,
} from '../../src/edits/plan.ts';

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
  /** What the user wanted; empty where the case does not say. */
  readonly instruction: string;
  /** The language of the people in the case; undefined where it does not say. */
  readonly speech: string | undefined;
  /** Whether the answer has the form that was asked for; undefined where none was. */
  readonly listens: boolean | undefined;
  readonly answer: string;
  /** The arguments of calls, where the answer is those. */
  readonly calls: readonly EditChange[] | undefined;
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
  let calls: readonly EditChange[] | undefined;
  for (const section of sections) {
    const end = section.indexOf('\n');
    const [title = '', path] = section
      .slice(0, end)
      .trim()
      .split(/\s+(.*)/);
    const content = section.slice(end + 1);
    if (title === 'answer') answer = content.replace(/\n$/, '');
    else if (title === 'calls') calls = (JSON.parse(content) as unknown[]).map(toChange);
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
    instruction: header.get('instruction') ?? '',
    speech: header.get('speech'),
    listens: header.has('listens') ? header.get('listens') === 'yes' : undefined,
    answer,
    calls,
    before,
    after,
  };
}

function toChange(call: unknown): EditChange {
  const { path, old_text, new_text, content, rename } = call as Record<string, string>;
  if (path === undefined) throw new Error('A call names no file.');
  if (content !== undefined) return { path, content };
  if (rename !== undefined) return { path, renamedTo: rename };
  return (call as { delete?: boolean }).delete === true
    ? { path, isDeleted: true }
    : { path, oldText: old_text ?? '', newText: new_text ?? '' };
}

/** What came of a case: as meant; not applied though it was meant to be; applied otherwise than meant. */
export type Verdict = 'right' | 'missed' | 'wrong';

/** What a way of applying answers makes of one. */
export interface Outcome {
  /** The texts of files, by path; undefined where nothing is proposed. */
  readonly texts: ReadonlyMap<string, string> | undefined;
  /** Whether the model was asked again. */
  readonly isAskedAgain: boolean;
}

export type ApplyAnswer = (one: EditCase) => Promise<Outcome> | Outcome;

export function judge(one: EditCase, { texts }: Outcome): Verdict {
  if (one.expect !== 'applied') {
    // A new file beside what nobody can tell changes nothing that is there.
    const isUntouched = texts === undefined || [...one.before].every(([path, text]) => texts.get(path) === text);
    return isUntouched ? 'right' : 'wrong';
  }
  if (texts === undefined) return 'missed';
  const isMeant = [...one.after].every(([path, text]) => texts.get(path) === text);
  return isMeant && texts.size === one.after.size ? 'right' : 'wrong';
}

/** The lines of what is meant that a result does not have: lost, or written otherwise. */
export function lostLines(one: EditCase, { texts }: Outcome): string[] {
  if (texts === undefined || one.expect !== 'applied') return [];
  return [...one.after].flatMap(([path, text]) => {
    const left = new Map<string, number>();
    for (const line of splitLines(texts.get(path) ?? '')) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
    const before = new Set(splitLines(one.before.get(path) ?? '').map((line) => line.trim()));
    return splitLines(text).filter((line) => {
      const said = line.trim();
      const count = left.get(said) ?? 0;
      left.set(said, count - 1);
      return count <= 0 && said !== '' && before.has(said);
    });
  });
}

/**
 * Applies an answer the way Parley does. What has no place is asked for again; a model that listens then answers with blocks, which are
 * made here of what is meant, for the files in question.
 */
export async function applyByParley(one: EditCase): Promise<Outcome> {
  const files = new Map([...one.before].map(([path, text]) => [path, splitLines(withoutMark(text))]));
  const first = await planOnce(one, files);
  if (first.kind !== 'edits') return { texts: undefined, isAskedAgain: false };
  const isAskedAgain = first.unplaced.length > 0;
  const plan =
    isAskedAgain && one.expect === 'applied'
      ? await planFurther({ text: blocksFor(one, first, files) }, first, files)
      : first;
  if (plan.kind !== 'edits' || plan.files.length === 0) return { texts: undefined, isAskedAgain };
  return { texts: textsAfter(one, plan, files), isAskedAgain };
}

function planOnce(one: EditCase, files: ReadonlyMap<string, readonly string[]>): Promise<EditPlan> {
  const { answer: text, path, instruction, isCut, way } = one;
  const selection = one.selection && { first: one.selection.first - 1, last: one.selection.last - 1 };
  const near = path === undefined || selection === undefined ? undefined : { path, selection };
  if (one.calls !== undefined) return planChanges(one.calls, files, false, near);
  if (way === 'answer' || path === undefined) return planAnswer({ text, isCut, mayBeCut: false }, files, instruction);
  const lines = files.get(path) ?? [];
  const others = new Map([...files].filter(([name]) => name !== path));
  if (way === 'apply') return planCode(text, { path, lines, selection }, lines.length - 1, others);
  if (isCut) return Promise.resolve({ kind: 'unresolved', reason: 'cut' });
  return planEdit({ text, finishReason: 'stop' }, { path, lines, selection }, others, instruction);
}

/** Lines of a file around a change by which its place is told. */
const context = 3;

/** Search/replace blocks for the files of an answer that has parts without a place. */
function blocksFor(one: EditCase, plan: EditPlan, files: ReadonlyMap<string, readonly string[]>): string {
  const lost = plan.kind === 'edits' ? plan.unplaced : [];
  const isMeant = (path: string): boolean => lost.some((each) => each.path === undefined || each.path === path);
  return [...one.after]
    .filter(([path]) => isMeant(path))
    .flatMap(([path, text]) => {
      const [old, next] = [files.get(path) ?? [], splitLines(withoutMark(text))];
      if (!files.has(path)) return [`${path}\n<<<<<<< SEARCH\n=======\n${text.replace(/\n$/, '')}\n>>>>>>> REPLACE`];
      return joinNear(diffHunks(old, next), old).map(({ line, removed, inserted }) => {
        const above = old.slice(Math.max(0, line - context), line);
        const below = old.slice(line + removed.length, line + removed.length + context);
        const search = [...above, ...removed, ...below].join('\n');
        return `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${[...above, ...inserted, ...below].join('\n')}\n>>>>>>> REPLACE`;
      });
    })
    .join('\n\n');
}

/** Changes so near to each other that the lines around them meet, as one. */
function joinNear(hunks: readonly Hunk[], old: readonly string[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const end = last === undefined ? 0 : last.line + last.removed.length;
    if (last === undefined || hunk.line - end > 2 * context) joined.push(hunk);
    else {
      const between = old.slice(end, hunk.line);
      joined[joined.length - 1] = {
        line: last.line,
        removed: [...last.removed, ...between, ...hunk.removed],
        inserted: [...last.inserted, ...between, ...hunk.inserted],
      };
    }
  }
  return joined;
}

function textsAfter(
  one: EditCase,
  plan: Extract<EditPlan, { kind: 'edits' }>,
  files: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  const result = new Map(one.before);
  const eol = [...one.before.values()].some((text) => text.includes('\r\n')) ? '\r\n' : '\n';
  for (const { path, edits, isDeleted, renamedTo, isNew } of plan.files) {
    const old = one.before.get(path) ?? '';
    result.delete(path);
    if (isDeleted === true) continue;
    const lines = applyLineEdits(files.get(path) ?? [], edits);
    const end = isNew && lines.at(-1) !== '' ? eol : '';
    result.set(renamedTo ?? path, (old.startsWith('\uFEFF') ? '\uFEFF' : '') + lines.join(eol) + end);
  }
  return result;
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

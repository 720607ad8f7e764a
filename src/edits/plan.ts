import { ServiceError } from '../base/errors.ts';
import { type LineRange, splitLines } from '../base/lines.ts';
import { declined, errorOfReason, meaningOf } from '../service/chat/completion.ts';
import { loadSyntax } from '../syntax/readSyntax.ts';
import { createDrafts } from './answer/fileDrafts.ts';
import { newLines } from './answer/placeDiff.ts';
import { placeReplacement } from './answer/placeReplacement.ts';
import { readAnswer, readCode } from './answer/reading/answerBlocks.ts';
import { cleanLines } from './answer/reading/cleanText.ts';
import { matchPath } from './answer/reading/namedPath.ts';
import type { EditContext, FileEdit, Resolution, Unplaced, Unresolved } from './answer/resolution.ts';
import { resolveAnswer } from './answer/resolveAnswer.ts';
import { leftBy } from './ask/leftLines.ts';
import { diffHunks } from './diff.ts';
import { applyLineEdits, editsOf } from './place/lines/lineEdit.ts';
import { trimBlankLines } from './place/lines/lineText.ts';
import { placeWholeFile } from './place/placeCode.ts';

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

/** An answer of a conversation, with all that it changes. */
export interface WholeAnswer {
  readonly text: string;
  /** Whether it was stopped, failed, or ended at a limit. */
  readonly isCut: boolean;
  /** Whether nothing says that it ended well. */
  readonly mayBeCut: boolean;
}

/** The document that an edit is for. */
export interface EditedDocument {
  readonly path: string;
  /** Without their endings. */
  readonly lines: readonly string[];
  /** The lines that the user selected. */
  readonly selection?: LineRange | undefined;
}

/** Files by their paths, without the endings of their lines. */
export type Files = ReadonlyMap<string, readonly string[]>;

/** The document beside other files; what the user edits counts where a path is that of both. */
export function filesOf({ path, lines }: EditedDocument, others: Files = new Map()): Files {
  return new Map([...others, [path, lines]]);
}

/**
 * What an answer wants of files: changes, some of which may have no place; or nothing that can be proposed. `hasWords`: it says
 * something about that. `unresolved`: it is cut off, or was given up.
 */
export type EditPlan =
  | { readonly kind: 'edits'; readonly files: readonly FileEdit[]; readonly unplaced: readonly Unplaced[] }
  | { readonly kind: 'nothing'; readonly hasWords: boolean }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

/**
 * Finds out what an answer changes. Throws `truncated` for one that is cut off, `content-filter` for one the service stopped,
 * `declined` with the model's words for one it did not want to give, `malformed` for an empty one.
 * @param others further files that the answer names, by their paths
 * @param instruction what the user asked for
 */
export async function planEdit(
  answer: EditAnswer,
  document: EditedDocument,
  others: Files = new Map(),
  instruction = '',
): Promise<EditPlan> {
  const { finishReason, refusal = '', text, url } = answer;
  const error = errorOfReason(finishReason, url);
  if (error !== undefined) throw error;
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (text.trim() === '') throw new ServiceError('malformed', { url });
  const { path, selection } = document;
  const mayBeCut = finishReason === undefined || meaningOf(finishReason) === 'unknown';
  const plan = await planText(text, { files: filesOf(document, others), path, selection, mayBeCut, instruction });
  if (plan.kind === 'unresolved' && plan.reason === 'cut') throw new ServiceError('truncated', { url });
  return plan;
}

/**
 * As `planEdit`, for one block of code.
 * @param after the line of the cursor, behind whose declaration new ones go
 */
export async function planCode(
  code: string,
  { path, selection, ...document }: EditedDocument,
  after: number,
  others: Files = new Map(),
): Promise<EditPlan> {
  const files = filesOf({ path, ...document }, others);
  const text = code.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  return planText(text, { files, path, selection, cursor: after, isCode: true });
}

/** As `planEdit`, for one block of code that is to be a new file. */
export async function planNewFile(code: string, path: string): Promise<EditPlan> {
  const drafts = createDrafts(new Map(), await loadSyntax([path]));
  for (const block of readCode(splitLines(code)).blocks) {
    if (block.kind === 'code') drafts.create(path, trimBlankLines(block.lines));
    else if (block.kind === 'diff' && block.isNew) drafts.create(path, block.hunks.flatMap(newLines));
    else drafts.lose(path, 'unknown-file', { lines: [] });
  }
  return toPlan(drafts.resolution(true), false);
}

/**
 * As `planEdit`, for an answer of a conversation.
 * @param files those that it may be about, by their paths
 * @param instruction the question that it answers
 */
export async function planAnswer(
  { text, isCut, mayBeCut }: WholeAnswer,
  files: Files,
  instruction = '',
): Promise<EditPlan> {
  return planText(text, { files, isCut, mayBeCut, instruction });
}

/** A change of a file that says itself what it is about: a call of the tool for edits, or an agent's. */
export type EditChange =
  | { readonly path: string; readonly oldText: string; readonly newText: string }
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly isDeleted: true }
  | { readonly path: string; readonly renamedTo: string };

/**
 * As `planEdit`, for changes, in order. The old texts are found as those of an answer are.
 * @param isFinal whether a file that would be broken is proposed all the same
 * @param near the lines that are meant where an old text stands several times
 */
export async function planChanges(
  changes: readonly EditChange[],
  files: Files,
  isFinal = false,
  near?: { readonly path: string; readonly selection: LineRange } | undefined,
): Promise<EditPlan> {
  const syntax = await loadSyntax(files.keys(), files);
  const drafts = createDrafts(files, syntax);
  for (const { change, times } of counted(changes)) {
    const path = knownPath(change.path, files);
    const isThere = files.has(path) || drafts.has(path);
    if ('content' in change) {
      const lines = cleanLines(splitLines(change.content.replace(/\r?\n$/, '')), files.get(path) ?? [], path);
      if (isThere)
        drafts.place(path, { lines }, (file) =>
          placeWholeFile(withEnd(lines, file), {
            file,
            path,
            syntax,
            above: '',
            instruction: '',
            moved: new Set(),
            copied: new Set(),
          }),
        );
      else drafts.create(path, lines);
    } else if ('isDeleted' in change) isThere ? drafts.remove(path) : drafts.lose(path, 'unknown-file', { lines: [] });
    else if ('renamedTo' in change)
      isThere ? drafts.rename(path, change.renamedTo) : drafts.lose(path, 'unknown-file', { lines: [] });
    else {
      const search = splitLines(change.oldText.replace(/\r?\n$/, ''));
      const replace = change.newText === '' ? [] : splitLines(change.newText.replace(/\r?\n$/, ''));
      if (isThere)
        drafts.place(path, { lines: search, fresh: replace }, (file) =>
          placeReplacement([{ search, replace }], file, path, path === near?.path ? near.selection : undefined, times),
        );
      else if (change.oldText.trim() === '') drafts.create(path, replace);
      else drafts.lose(path, 'unknown-file', { lines: search, fresh: replace });
    }
  }
  return toPlan(drafts.resolution(isFinal), false);
}

/** Each change once, and how often it is given. */
function counted(changes: readonly EditChange[]): { readonly change: EditChange; readonly times: number }[] {
  const same = new Map<string, EditChange[]>();
  for (const change of changes) {
    const key = JSON.stringify(change);
    same.set(key, [...(same.get(key) ?? []), change]);
  }
  return [...same.values()].map(([change, ...more]) => ({ change: change as EditChange, times: more.length + 1 }));
}

/** The path by which a file is known that a model names in its own way. */
function knownPath(path: string, files: Files): string {
  const matched = matchPath(path, files.keys());
  return typeof matched === 'string' ? matched : path;
}

/** A whole text with a line break at its end, where the file has one. */
function withEnd(lines: readonly string[], file: readonly string[]): readonly string[] {
  return file.at(-1) === '' && lines.at(-1) !== '' ? [...lines, ''] : lines;
}

/** The answer to the question that asks again, by blocks in a text or by calls. */
export interface FurtherAnswer {
  readonly text?: string | undefined;
  readonly changes?: readonly EditChange[] | undefined;
}

/**
 * The edits of a plan together with those of a further answer, which is about the text that the first leaves. It is the last word:
 * what it breaks is proposed, too.
 */
export async function planFurther(further: FurtherAnswer, first: EditPlan, files: Files): Promise<EditPlan> {
  const done = first.kind === 'edits' ? first.files : [];
  const left = leftBy(done, files);
  const next =
    further.changes === undefined
      ? await planText(further.text ?? '', { files: left, isFinal: true })
      : await planChanges(further.changes, left, true);
  if (next.kind !== 'edits') return first;
  const oldNames = new Map(done.map((file) => [nameAfter(file), file.path]));
  const unplaced = next.unplaced.map((block) => ({ ...block, path: oldNames.get(block.path ?? '') ?? block.path }));
  return { kind: 'edits', files: joinEdits(done, next.files, files, left), unplaced };
}

/** The path of a file once it is changed. */
function nameAfter({ path, renamedTo }: FileEdit): string {
  return renamedTo ?? path;
}

/** The edits of two plans, the second of which is about what the first leaves, as edits of the files. */
function joinEdits(done: readonly FileEdit[], next: readonly FileEdit[], files: Files, left: Files): FileEdit[] {
  const again = new Map(next.map((file) => [file.path, file]));
  const known = new Set(done.map(nameAfter));
  const joined = done.map((file) => {
    const later = again.get(nameAfter(file));
    if (later === undefined) return file;
    if (later.isDeleted === true) return { ...later, path: file.path };
    const lines = applyLineEdits(left.get(later.path) ?? [], later.edits);
    const edits = file.isNew
      ? [{ line: 0, removed: 0, inserted: lines }]
      : editsOf(diffHunks(files.get(file.path) ?? [], lines));
    return { ...file, ...later, path: file.path, isNew: file.isNew, edits };
  });
  return [...joined, ...next.filter(({ path }) => !known.has(path))];
}

/** The paths that the blocks of an answer, or a block of code, name, as they are written there. */
export function namedPaths(text: string, isCode = false): string[] {
  const { blocks } = isCode ? readCode(splitLines(text)) : readAnswer(splitLines(text));
  return [
    ...new Set(blocks.flatMap((block) => [...(block.path === undefined ? [] : [block.path]), ...renamedTo(block)])),
  ];
}

function renamedTo(block: ReturnType<typeof readAnswer>['blocks'][number]): string[] {
  return block.kind === 'diff' && block.renamedTo !== undefined ? [block.renamedTo] : [];
}

async function planText(text: string, context: Omit<EditContext, 'syntax'>): Promise<EditPlan> {
  const paths = [...context.files.keys(), ...namedPaths(text, context.isCode)];
  const resolution = resolveAnswer(text, { ...context, syntax: await loadSyntax(paths, context.files) });
  return toPlan(resolution, hasWords(text));
}

function toPlan(resolution: Resolution, hasWords: boolean): EditPlan {
  return resolution.kind === 'nothing' ? { kind: 'nothing', hasWords } : resolution;
}

/** Whether an answer is more than code. */
function hasWords(text: string): boolean {
  const { blocks, prose } = readAnswer(splitLines(text));
  return blocks.length === 0 || prose.some((line) => line.trim() !== '');
}

import { ServiceError } from '../base/errors.ts';
import { type LineRange, splitLines } from '../base/lines.ts';
import { declined } from '../service/chat/completion.ts';
import { readAnswer, readCode } from './answer/answerBlocks.ts';
import { placeReplacement } from './answer/placeReplacement.ts';
import {
  type FileEdit,
  type Placed,
  type Resolution,
  toResolution,
  type Unplaced,
  type Unresolved,
} from './answer/resolution.ts';
import { newFile, resolveAnswer } from './answer/resolveAnswer.ts';
import { findElisions } from './place/elisions.ts';

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

/** What an answer wants of files: changes, or nothing that can be proposed. `hasWords`: it says something about that. */
export type EditPlan =
  | { readonly kind: 'edits'; readonly files: readonly FileEdit[]; readonly unplaced: readonly Unplaced[] }
  | { readonly kind: 'nothing'; readonly hasWords: boolean }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

/**
 * Finds out what an answer changes. Throws `truncated` for one that is cut off, `content-filter` for one the service stopped,
 * `declined` with the model's words for one it did not want to give, `malformed` for an empty one.
 * @param others further files that the answer names, by their paths
 */
export function planEdit(answer: EditAnswer, document: EditedDocument, others: Files = new Map()): EditPlan {
  const { finishReason, refusal = '', text, url } = answer;
  if (finishReason === 'length' || finishReason === 'max_tokens') throw new ServiceError('truncated', { url });
  if (finishReason === 'content_filter') throw new ServiceError('content-filter', { url });
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (text.trim() === '') throw new ServiceError('malformed', { url });
  const { path, selection } = document;
  const context = { files: filesOf(document, others), path, selection, mayBeCut: finishReason === undefined };
  const plan = toPlan(resolveAnswer(text, context), hasWords(text));
  if (plan.kind === 'unresolved' && plan.reason === 'cut') throw new ServiceError('truncated', { url });
  return plan;
}

/** As `planEdit`, for one block of code. Code that has no place in the document comes after a line, such as that of the cursor. */
export function planCode(code: string, document: EditedDocument, after: number, others: Files = new Map()): EditPlan {
  const { path, lines, selection } = document;
  const resolution = resolveAnswer(code, { files: filesOf(document, others), path, selection, isCode: true });
  const written = splitLines(code.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd());
  const isCode = readCode(written).blocks.every(({ kind }) => kind === 'code');
  const isPlain = isCode && resolution.kind === 'unresolved' && resolution.reason === 'not-found';
  if (!isPlain || findElisions(written, lines).length > 0) return toPlan(resolution, false);
  const line = Math.max(0, Math.min(after + 1, lines.length));
  return {
    kind: 'edits',
    files: [{ path, isNew: false, edits: [{ line, removed: 0, inserted: written }] }],
    unplaced: [],
  };
}

/** As `planEdit`, for one block of code that is to be a new file. */
export function planNewFile(code: string, path: string): EditPlan {
  const { blocks } = readCode(splitLines(code));
  const found = blocks.map((block): readonly [string, Placed] => [
    path,
    block.kind === 'code' || (block.kind === 'diff' && block.isNew) ? newFile(block) : 'unknown-file',
  ]);
  return toPlan(toResolution(found, new Map()), false);
}

/** As `planEdit`, for an answer of a conversation. @param files those that it may be about, by their paths */
export function planAnswer({ text, isCut, mayBeCut }: WholeAnswer, files: Files): EditPlan {
  return toPlan(resolveAnswer(text, { files, isCut, mayBeCut }), hasWords(text));
}

/** Text of a file that gives way to other text. */
export interface Replacement {
  readonly path: string;
  /** Empty for a file that is to be made. */
  readonly oldText: string;
  readonly newText: string;
}

/**
 * As `planEdit`, for replacements that say themselves what they are about: all of them or none, as an agent can mend one that has no
 * place. The texts are found as those of an answer are.
 */
export function planReplacements(replacements: readonly Replacement[], files: Files): EditPlan {
  const found = replacements.map(({ path, oldText, newText }): readonly [string, Placed] => {
    const file = files.get(path);
    const replace = newText === '' ? [] : splitLines(newText.replace(/\r?\n$/, ''));
    if (file === undefined) return [path, oldText.trim() === '' ? { newFile: replace } : 'unknown-file'];
    const search = splitLines(oldText.replace(/\r?\n$/, ''));
    return [path, placeReplacement({ kind: 'replace', path, readings: [{ search, replace }] }, file, undefined)];
  });
  const plan = toPlan(toResolution(found, files), false);
  const [first] = plan.kind === 'edits' ? plan.unplaced : [];
  return first === undefined ? plan : { kind: 'unresolved', reason: first.reason };
}

/** The paths that the blocks of an answer, or a block of code, name, as they are written there. */
export function namedPaths(text: string, isCode = false): string[] {
  const { blocks } = isCode ? readCode(splitLines(text)) : readAnswer(splitLines(text));
  return [...new Set(blocks.flatMap(({ path }) => path ?? []))];
}

function toPlan(resolution: Resolution, hasWords: boolean): EditPlan {
  return resolution.kind === 'nothing' ? { kind: 'nothing', hasWords } : resolution;
}

/** Whether an answer is more than code. */
function hasWords(text: string): boolean {
  const { blocks, prose } = readAnswer(splitLines(text));
  return blocks.length === 0 || prose.some((line) => line.trim() !== '');
}

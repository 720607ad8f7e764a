import { ServiceError } from '../base/errors.ts';
import { type LineRange, splitLines } from '../base/lines.ts';
import { declined } from '../service/chat/completion.ts';
import { readAnswer } from './answer/answerBlocks.ts';
import type { Resolution, Unresolved } from './answer/resolution.ts';
import { resolveAnswer } from './answer/resolveAnswer.ts';
import { findElisions } from './place/elisions.ts';
import { applyLineEdits, type LineEdit } from './place/lineEdit.ts';

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

/** The document that an edit is for. */
export interface EditedDocument {
  readonly path: string;
  /** Without their endings. */
  readonly lines: readonly string[];
  /** The lines that the user selected. */
  readonly selection?: LineRange | undefined;
}

/**
 * What an answer wants of a document: new lines for some of it (none deletes them), or nothing that can be proposed. `hasWords`: it
 * says something about that.
 */
export type EditPlan =
  | { readonly kind: 'lines'; readonly range: LineRange; readonly newLines: readonly string[] }
  | { readonly kind: 'nothing'; readonly hasWords: boolean }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

/**
 * Finds out what an answer changes. Throws `truncated` for one that is cut off, `content-filter` for one the service stopped,
 * `declined` with the model's words for one it did not want to give, `malformed` for an empty one.
 */
export function planEdit(answer: EditAnswer, document: EditedDocument): EditPlan {
  const { finishReason, refusal = '', text, url } = answer;
  if (finishReason === 'length' || finishReason === 'max_tokens') throw new ServiceError('truncated', { url });
  if (finishReason === 'content_filter') throw new ServiceError('content-filter', { url });
  if (refusal.trim() !== '') throw declined(refusal, url);
  if (text.trim() === '') throw new ServiceError('malformed', { url });
  const { path, lines, selection } = document;
  const context = { files: new Map([[path, lines]]), path, selection, mayBeCut: finishReason === undefined };
  const plan = toPlan(resolveAnswer(text, context), document, hasWords(text));
  if (plan.kind === 'unresolved' && plan.reason === 'cut') throw new ServiceError('truncated', { url });
  return plan;
}

/** As `planEdit`, for one block of code. Code that has no place in the document comes after a line, such as that of the cursor. */
export function planCode(code: string, document: EditedDocument, after: number): EditPlan {
  const { path, lines, selection } = document;
  const resolution = resolveAnswer(code, { files: new Map([[path, lines]]), path, selection, isCode: true });
  const written = splitLines(code.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, ''));
  const isPlain = resolution.kind === 'unresolved' && resolution.reason === 'not-found';
  if (!isPlain || findElisions(written, lines).length > 0) return toPlan(resolution, document, false);
  const line = Math.max(0, Math.min(after, lines.length - 1));
  return { kind: 'lines', range: { first: line, last: line }, newLines: [lines[line] ?? '', ...written] };
}

function toPlan(resolution: Resolution, { path, lines, selection }: EditedDocument, hasWords: boolean): EditPlan {
  if (resolution.kind === 'nothing') return { kind: 'nothing', hasWords };
  if (resolution.kind === 'unresolved') return resolution;
  const [file] = resolution.files;
  // Other files than the one that is open cannot be proposed yet.
  if (file === undefined || file.path !== path || resolution.files.length > 1)
    return { kind: 'unresolved', reason: 'unknown-file' };
  const range = rangeOf(file.edits, lines.length, selection);
  const moved = file.edits.map((edit) => ({ ...edit, line: edit.line - range.first }));
  return { kind: 'lines', range, newLines: applyLineEdits(lines.slice(range.first, range.last + 1), moved) };
}

/** Whether an answer is more than code. */
function hasWords(text: string): boolean {
  const { blocks, prose } = readAnswer(splitLines(text));
  return blocks.length === 0 || prose.some((line) => line.trim() !== '');
}

/** The lines of all edits, and of the selection. */
function rangeOf(edits: readonly LineEdit[], lineCount: number, selection: LineRange | undefined): LineRange {
  const firsts = edits.map(({ line }) => Math.min(line, lineCount - 1));
  const lasts = edits.map(({ line, removed }) => Math.min(line + Math.max(0, removed - 1), lineCount - 1));
  return {
    first: Math.min(...firsts, ...(selection ? [selection.first] : [])),
    last: Math.max(...lasts, ...(selection ? [selection.last] : [])),
  };
}

import type { LineRange } from '../../base/lines.ts';
import { applyLineEdits, haveOverlap, type LineEdit } from '../place/lineEdit.ts';
import type { Misplaced } from '../place/misplaced.ts';

/** What an answer is about. */
export interface EditContext {
  /** Files that the answer may change, by their paths; their lines without endings. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** The file that is meant where none is named. */
  readonly path?: string | undefined;
  /** The lines of that file that the model was asked to change. */
  readonly selection?: LineRange | undefined;
  /** Whether the text is code alone: a block of an answer, not an answer. */
  readonly isCode?: boolean;
  /** Whether the answer was cut off, by a token limit. */
  readonly isCut?: boolean;
  /** Whether nothing says that the answer ended well: a block that never ends is cut off then. */
  readonly mayBeCut?: boolean;
}

/** The changes of one file. */
export interface FileEdit {
  readonly path: string;
  readonly isNew: boolean;
  /** They do not overlap. */
  readonly edits: readonly LineEdit[];
}

/** Why a wanted change has no place. `removed`: a file is to be deleted or renamed. */
export type Unresolved = 'cut' | 'not-found' | 'ambiguous' | 'unknown-file' | 'empty' | 'removed';

/** A part of an answer that has no place, though others have. */
export interface Unplaced {
  readonly path: string;
  readonly reason: Unresolved;
  /** The lines that it looks for in the file; none where it is about the file as a whole. */
  readonly lines: readonly string[];
}

/** What an answer wants changed. `nothing`: it is words, or quotes what is there. */
export type Resolution =
  | { readonly kind: 'edits'; readonly files: readonly FileEdit[]; readonly unplaced: readonly Unplaced[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

export const unresolved = (reason: Unresolved): Resolution => ({ kind: 'unresolved', reason });

/** What one block of an answer wants of its file. */
export type Placed =
  | readonly LineEdit[]
  | Misplaced
  | 'unknown-file'
  | 'empty'
  | PlacedParts
  | { readonly newFile: readonly string[] };

/** A block whose parts say one by one which lines they are about: what one of them wants can be had without the others. */
export interface PlacedParts {
  readonly edits: readonly LineEdit[];
  readonly unplaced: readonly Omit<Unplaced, 'path'>[];
}

export const reasonOf = (misplaced: Misplaced): Unresolved => (misplaced === 'unplaced' ? 'not-found' : misplaced);

/** What several parts of an answer want, each of other files. */
export function joined(parts: readonly Resolution[]): Resolution {
  const open = parts.find(({ kind }) => kind === 'unresolved');
  if (open !== undefined) return open;
  const wanted = parts.filter((part) => part.kind === 'edits');
  const [files, unplaced] = [wanted.flatMap((part) => part.files), wanted.flatMap((part) => part.unplaced)];
  return files.length === 0 ? { kind: 'nothing' } : { kind: 'edits', files, unplaced };
}

/**
 * Gathers what the blocks want of each file. Code that has no place leaves the whole answer undecided, and so do parts of which none
 * has one.
 */
export function toResolution(found: readonly (readonly [string, Placed])[], files: EditContext['files']): Resolution {
  const byFile = new Map<string, LineEdit[]>();
  const fresh = new Map<string, readonly string[]>();
  const unplaced: Unplaced[] = [];
  for (const [path, placed] of found) {
    if (placed === 'unplaced' || placed === 'ambiguous') return unresolved(reasonOf(placed));
    if (typeof placed === 'string') return unresolved(placed);
    if ('newFile' in placed) {
      if (fresh.has(path)) return unresolved('ambiguous');
      fresh.set(path, placed.newFile);
      continue;
    }
    const parts = 'edits' in placed ? placed : { edits: placed, unplaced: [] };
    unplaced.push(...parts.unplaced.map((part) => ({ path, ...part })));
    const edits = byFile.get(path) ?? [];
    edits.push(...parts.edits);
    byFile.set(path, edits);
  }
  if ([...byFile.values()].some(haveOverlap)) return unresolved('ambiguous');
  const changed = [...byFile].filter(([path, edits]) => {
    const old = files.get(path) ?? [];
    const next = applyLineEdits(old, edits);
    return next.length !== old.length || next.some((line, at) => line !== old[at]);
  });
  const edits = [
    ...changed.map(([path, list]) => ({ path, isNew: false, edits: list })),
    ...[...fresh].map(([path, lines]) => ({ path, isNew: true, edits: [{ line: 0, removed: 0, inserted: lines }] })),
  ];
  if (edits.length > 0) return { kind: 'edits', files: edits, unplaced };
  const [first] = unplaced;
  return first === undefined ? { kind: 'nothing' } : unresolved(first.reason);
}

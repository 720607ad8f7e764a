import type { LineRange } from '../../base/lines.ts';
import type { SyntaxReader } from '../../syntax/readSyntax.ts';
import type { LineEdit } from '../place/lines/lineEdit.ts';
import type { Misplaced } from '../place/misplaced.ts';

/** What an answer is about. */
export interface EditContext {
  /** Files that the answer may change, by their paths; their lines without endings. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** The syntax of these files, and of those that the answer names. */
  readonly syntax: SyntaxReader;
  /** The file that is meant where none is named. */
  readonly path?: string | undefined;
  /** The lines of that file that the model was asked to change, or for a block of code those at the cursor. */
  readonly selection?: LineRange | undefined;
  /** The line of the cursor in that file, where nothing is selected. */
  readonly cursor?: number | undefined;
  /** What the user asked for. */
  readonly instruction?: string | undefined;
  /** Whether the text is code alone: a block of an answer, not an answer. */
  readonly isCode?: boolean;
  /** Whether the answer was cut off, by a token limit. */
  readonly isCut?: boolean;
  /** Whether nothing says that the answer ended well: a block that never ends is cut off then. */
  readonly mayBeCut?: boolean;
  /** Whether it is the last word, to be shown also where it breaks the file. */
  readonly isFinal?: boolean;
}

/** The changes of one file. */
export interface FileEdit {
  readonly path: string;
  readonly isNew: boolean;
  /** They do not overlap. None of a file that goes. */
  readonly edits: readonly LineEdit[];
  readonly isDeleted?: boolean;
  /** The path that the file gets. */
  readonly renamedTo?: string;
}

/**
 * Why a wanted change has no place. `left-out`: lines would go that the answer does not name; `broken`: the file would not be sound
 * any more; `cut`: the answer is not whole.
 */
export type Unresolved = 'cut' | 'not-found' | 'ambiguous' | 'unknown-file' | 'empty' | 'left-out' | 'broken';

/** The text of a block of an answer. */
export interface BlockText {
  /** Its code; of a block that says what it looks for, that. */
  readonly lines: readonly string[];
  /** What a block that says what it looks for puts in its place. */
  readonly fresh?: readonly string[] | undefined;
}

/** A part of an answer that has no place, though others may have. */
export interface Unplaced extends BlockText {
  /** Undefined where nobody can tell which file is meant. */
  readonly path: string | undefined;
  readonly reason: Exclude<Unresolved, 'cut'>;
  /** The lines of the file that come nearest. */
  readonly near?: LineRange | undefined;
}

/** What an answer wants changed; `files` may be empty where nothing has a place. `nothing`: it is words, or quotes what is there. */
export type Resolution =
  | { readonly kind: 'edits'; readonly files: readonly FileEdit[]; readonly unplaced: readonly Unplaced[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

export const unresolved = (reason: Unresolved): Resolution => ({ kind: 'unresolved', reason });

export const reasonOf = (misplaced: Misplaced): Unplaced['reason'] =>
  misplaced === 'unplaced' ? 'not-found' : misplaced;

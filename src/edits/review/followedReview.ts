import type { LineEdit } from '../place/lines/lineEdit.ts';
import { areLines } from './mergeLines.ts';
import { type MergedReview, mergeReview, rebaseEdits } from './mergeReview.ts';
import { pendingText } from './pendingText.ts';
import {
  addWhole,
  followText,
  followUndo,
  pendingHunks,
  type ReviewedFile,
  type ReviewHunk,
  type WholeChange,
  withoutSet,
} from './reviewedFile.ts';

/** Edits, and the pending text that they are for. */
export interface PendingEdits {
  readonly lines: readonly string[];
  readonly edits: readonly LineEdit[];
}

/** What is proposed for a file, as its text and the proposals change. */
export interface FollowedReview {
  /** Without what still comes in. */
  readonly file: ReviewedFile;
  /** With what still comes in. */
  readonly shown: ReviewedFile;
  update(next: ReviewedFile): void;
  /** Takes the text of the file for what it is, however it came about. */
  followText(lines: readonly string[], isUndo?: boolean): void;
  /** Says what the review is once a change that is on its way has come; undefined: none is on its way. */
  awaitChange(next: ReviewedFile | undefined): void;
  readonly isAwaiting: boolean;
  /** Notes states that an undo may lead back to. */
  rememberStates(...states: readonly ReviewedFile[]): void;
  /** Shows edits of a set whose answer still comes in, in the place of its edits so far. */
  streamEdits(set: string, edits: PendingEdits): void;
  /** Puts into the place of what was shown of a set so far what `add` adds to the review. @returns the hunks of others that are replaced */
  replaceSet(set: string, add: () => readonly ReviewHunk[]): readonly ReviewHunk[];
  /** Takes a set away. */
  removeSet(set: string): void;
  /** For `replaceSet`: adds edits of lines. @returns the hunks that they take the place of */
  addEdits(set: string, edits: PendingEdits): readonly ReviewHunk[];
  /** For `replaceSet`: adds a change of the file as a whole. */
  addWholeChange(set: string, change: WholeChange): readonly ReviewHunk[];
  /** For `replaceSet`: takes away all that is not decided on, and gives it. */
  dropPending(): readonly ReviewHunk[];
}

/** States that an undo may lead back to; a file has no more of them. */
const mostStates = 50;

/** @param titleOf the title of a set, by its id */
export function createFollowedReview(
  initial: ReviewedFile,
  titleOf: (set: string) => string,
  onChange: () => void,
): FollowedReview {
  let file = initial;
  /** What still comes in, by the sets that it is of. */
  const streams = new Map<string, PendingEdits>();
  let shown = file;
  let nextId = nextIdOf(file);
  let awaited: ReviewedFile | undefined;
  let states: ReviewedFile[] = [];

  function update(next: ReviewedFile): void {
    file = next;
    shown = [...streams].reduce((below, [set, edits]) => merge(below, set, edits, nextIdOf(below)).file, file);
    onChange();
  }

  function merge(below: ReviewedFile, set: string, { lines, edits }: PendingEdits, firstId: number): MergedReview {
    return mergeReview(below, rebaseEdits(edits, lines, pendingText(below)), { set, firstId, titleOf });
  }

  function withdraw(set: string): void {
    streams.delete(set);
    states = states.map((state) => withoutSet(state, set));
    file = withoutSet(file, set);
  }

  return {
    get file() {
      return file;
    },
    get shown() {
      return shown;
    },
    get isAwaiting() {
      return awaited !== undefined;
    },
    update,
    followText(lines, isUndo = false) {
      if (awaited !== undefined && areLines(lines, awaited.lines)) {
        const next = awaited;
        awaited = undefined;
        update(next);
      } else if (isUndo) update(followUndo(file, lines, states));
      else if (!areLines(lines, file.lines)) update(followText(file, lines));
    },
    awaitChange(next) {
      awaited = next;
    },
    rememberStates(...next) {
      states = [...states, ...next].slice(-mostStates);
    },
    streamEdits(set, edits) {
      streams.set(set, edits);
      update(file);
    },
    replaceSet(set, add) {
      withdraw(set);
      const replaced = add();
      const isKept = ({ id }: ReviewHunk): boolean => !replaced.some((hunk) => hunk.id === id);
      states = states.map((state) => ({ ...state, hunks: state.hunks.filter(isKept) }));
      update(file);
      return replaced;
    },
    removeSet(set) {
      withdraw(set);
      update(file);
    },
    addEdits(set, edits) {
      const merged = merge(file, set, edits, nextId);
      file = merged.file;
      nextId = Math.max(nextId, nextIdOf(file));
      return merged.replaced;
    },
    addWholeChange(set, change) {
      const added = addWhole(file, change, nextId++, set);
      file = added.file;
      return added.replaced;
    },
    dropPending() {
      const dropped = pendingHunks(file);
      file = { ...file, hunks: file.hunks.filter((hunk) => !dropped.includes(hunk)) };
      return dropped;
    },
  };
}

/** The pending hunks of a review, as edits of its lines. */
export function pendingEdits(review: ReviewedFile): PendingEdits {
  const edits = pendingHunks(review).map(({ line, count, proposed }) => ({ line, removed: count, inserted: proposed }));
  return { lines: review.lines, edits };
}

/** What is proposed, in the place of all lines. */
export function wholeText(review: ReviewedFile, lines: readonly string[]): PendingEdits {
  return { lines, edits: [{ line: 0, removed: lines.length, inserted: pendingText(review) }] };
}

function nextIdOf({ hunks }: ReviewedFile): number {
  return hunks.reduce((most, { id }) => Math.max(most, id), -1) + 1;
}

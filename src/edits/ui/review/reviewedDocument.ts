import {
  type Disposable,
  type Event,
  EventEmitter,
  type TextDocument,
  TextDocumentChangeReason,
  Uri,
  workspace,
} from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { LineEdit } from '../../place/lines/lineEdit.ts';
import { toLineEdit } from '../../review/documentChange.ts';
import { areLines } from '../../review/mergeLines.ts';
import { type MergedReview, mergeReview, rebaseEdits } from '../../review/mergeReview.ts';
import { pendingText } from '../../review/pendingText.ts';
import {
  acceptHunks,
  addWhole,
  type Decision,
  followEdit,
  followText,
  followUndo,
  isDeleted,
  pendingHunks,
  type ReviewedFile,
  type ReviewHunk,
  rejectHunks,
  reopenHunks,
  type WholeChange,
  withoutSet,
} from '../../review/reviewedFile.ts';
import { allLines } from '../trackedLines.ts';
import { type DocumentEdits, type WholeFileChange, writeLines } from './writeLines.ts';

/** What is proposed for one file. */
export interface ProposedFile {
  readonly uri: Uri;
  /** Whether there is no such file yet. */
  readonly isNew: boolean;
  /** What is proposed for it, over its lines with all that was pending when it was made out. */
  readonly review: ReviewedFile;
  /** Whether the file is to be deleted; nothing else is proposed for it then. */
  readonly isDeleted?: boolean;
  /** Where the file is to be, with what is proposed for it. */
  readonly renamedTo?: Uri;
}

/** Edits, and the pending text that they are for. */
export interface PendingEdits {
  readonly lines: readonly string[];
  readonly edits: readonly LineEdit[];
}

/** A document under review: what is proposed for it, followed while it is typed in, and decided on hunk by hunk. */
export interface ReviewedDocument extends Disposable {
  /** Of the document; it changes when the file is renamed. */
  readonly uri: Uri;
  readonly isNew: boolean;
  readonly file: ReviewedFile;
  /** Its lines once all that is pending is accepted. */
  readonly pendingText: readonly string[];
  readonly onDidChange: Event<void>;
  /** Adds what a set proposes, in the place of what was shown of it so far. @returns the pending hunks of others that it replaces */
  add(set: string, proposed: ProposedFile): readonly ReviewHunk[];
  /** Shows edits of a set whose answer still comes in, in the place of its edits so far. */
  stream(set: string, edits: PendingEdits): void;
  /** Takes a set away, as if it had not been shown, or, once it is decided on, with its text as the user's own. */
  remove(set: string): void;
  /** Takes the file's text for what it is, also where nobody has it open. */
  refresh(): Promise<void>;
  /** What accepting hunks would write; call `commit` once it is written. Throws where the file is gone. */
  plan(ids: ReadonlySet<number>): Promise<PlannedWrite>;
  reject(ids: ReadonlySet<number>): void;
  /** Takes the last decision back. */
  takeBack(): Promise<void>;
  /** The file is at another place now. */
  moveTo(uri: Uri): void;
}

export interface PlannedWrite extends DocumentEdits {
  /** @param isWritten false: nothing was changed after all */
  commit(isWritten: boolean): void;
}

/** States that an undo may lead back to; a file has no more of them. */
const mostStates = 50;
/** Changes in one event beyond which the document is compared as a whole. */
const mostChanges = 20;

/** @param titleOf the title of a set, by its id */
export function reviewDocument(proposed: ProposedFile, titleOf: (set: string) => string): ReviewedDocument {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  /** `file`: without what still comes in. */
  let { uri, review: file } = proposed;
  /** What still comes in, by the sets that it is of. */
  const streams = new Map<string, PendingEdits>();
  /** The file with that. */
  let shown = file;
  let nextId = nextIdOf(file);
  /** The review as a change that is on its way will leave it. */
  let awaited: ReviewedFile | undefined;
  let states: ReviewedFile[] = [];
  const decided: ReadonlySet<number>[] = [];

  async function open(): Promise<TextDocument> {
    if (proposed.isNew) return workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
    // VS Code has the text of a deleted file for a while.
    if (workspace.fs.isWritableFileSystem(uri.scheme) === true) await workspace.fs.stat(uri);
    return workspace.openTextDocument(uri);
  }

  function update(next: ReviewedFile): void {
    file = next;
    shown = [...streams].reduce((below, [set, edits]) => merge(below, set, edits, nextIdOf(below)).file, file);
    changed.fire();
  }

  function merge(below: ReviewedFile, set: string, { lines, edits }: PendingEdits, firstId: number): MergedReview {
    return mergeReview(below, rebaseEdits(edits, lines, pendingText(below)), { set, firstId, titleOf });
  }

  /** Takes the text of the document for what it is, however it came about. */
  function sync(lines: readonly string[], isUndo = false): void {
    if (awaited !== undefined && areLines(lines, awaited.lines)) {
      const next = awaited;
      awaited = undefined;
      update(next);
    } else if (isUndo) update(followUndo(file, lines, states));
    else if (!areLines(lines, file.lines)) update(followText(file, lines));
  }

  function remember(...next: ReviewedFile[]): void {
    states = [...states, ...next].slice(-mostStates);
  }

  /** Takes a set away, which is not drawn yet. */
  function take(set: string): void {
    streams.delete(set);
    states = states.map((state) => withoutSet(state, set));
    file = withoutSet(file, set);
  }

  /** Adds changes of lines. @returns the hunks that they take the place of */
  function addLines(set: string, { isNew, review, isDeleted: isGone }: ProposedFile): readonly ReviewHunk[] {
    if (isGone || review.hunks.length === 0) return [];
    // A file that another set makes already is made anew as a whole.
    const edits = isNew && file.hunks.length > 0 ? wholeText(review, pendingText(file)) : pendingEdits(review);
    const merged = merge(file, set, edits, nextId);
    file = merged.file;
    nextId = Math.max(nextId, nextIdOf(file));
    return merged.replaced;
  }

  function addWholeChange(set: string, whole: WholeChange): readonly ReviewHunk[] {
    // A file that is not there yet is proposed elsewhere, or not any more.
    if (proposed.isNew && whole.kind === 'rename') uri = Uri.parse(whole.to, true);
    if (proposed.isNew) return whole.kind === 'delete' ? dropPending() : [];
    const added = addWhole(file, whole, nextId++, set);
    file = added.file;
    return added.replaced;
  }

  function dropPending(): readonly ReviewHunk[] {
    const dropped = pendingHunks(file);
    file = { ...file, hunks: file.hunks.filter((hunk) => !dropped.includes(hunk)) };
    return dropped;
  }

  function wholeOf({ isDeleted: isGone, renamedTo }: ProposedFile): WholeChange[] {
    if (isGone) return [{ kind: 'delete' }];
    return renamedTo ? [{ kind: 'rename', from: uri.toString(), to: renamedTo.toString() }] : [];
  }

  async function prepare(decide: (file: ReviewedFile) => Decision): Promise<PlannedWrite> {
    const document = await open();
    const { version } = document;
    sync(allLines(document));
    const before = file;
    const { edits, next } = decide(file);
    awaited = next;
    return {
      document,
      version,
      edits,
      fileChange: fileChangeOf(before, next),
      commit(isWritten) {
        awaited = undefined;
        if (!isWritten) return;
        remember(before, next);
        if (file !== next && areLines(file.lines, next.lines)) update(next);
      },
    };
  }

  owned.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      if (contentChanges.length === 0 || !isDocument(document)) return;
      const isPlain = awaited === undefined && reason === undefined && contentChanges.length <= mostChanges;
      if (!isPlain)
        return sync(
          allLines(document),
          reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo,
        );
      let next = file;
      // The changes of one event come from the bottom to the top, so each range holds for the text before it.
      for (const { range, text } of contentChanges) {
        next = followEdit(next, toLineEdit(next.lines, { start: range.start, end: range.end, text }));
      }
      if (next.lines.length === document.lineCount) update(next);
      else sync(allLines(document));
    }),
  );
  owned.add(workspace.onDidOpenTextDocument((document) => isDocument(document) && sync(allLines(document))));
  const isOpen = workspace.textDocuments.find(isDocument);
  if (isOpen !== undefined) sync(allLines(isOpen));

  function isDocument(document: TextDocument): boolean {
    return document.uri.toString() === (proposed.isNew ? uri.with({ scheme: 'untitled' }) : uri).toString();
  }

  return {
    get uri() {
      return uri;
    },
    get isNew() {
      return proposed.isNew;
    },
    get file() {
      return shown;
    },
    get pendingText() {
      return pendingText(file);
    },
    onDidChange: changed.event,
    add(set, proposed) {
      take(set);
      const replaced = [
        ...addLines(set, proposed),
        ...wholeOf(proposed).flatMap((whole) => addWholeChange(set, whole)),
      ];
      const isKept = ({ id }: ReviewHunk): boolean => !replaced.some((hunk) => hunk.id === id);
      states = states.map((state) => ({ ...state, hunks: state.hunks.filter(isKept) }));
      update(file);
      return replaced;
    },
    stream(set, edits) {
      streams.set(set, edits);
      update(file);
    },
    remove(set) {
      take(set);
      update(file);
    },
    async refresh() {
      // One that is open is followed; one that is gone is found out about once something is accepted.
      if (proposed.isNew || workspace.textDocuments.some(isDocument)) return;
      const document = await open().catch(() => undefined);
      if (document !== undefined) sync(allLines(document));
    },
    async plan(ids) {
      const planned = await prepare((now) => acceptHunks(now, ids));
      return {
        ...planned,
        commit(isWritten) {
          planned.commit(isWritten);
          if (isWritten) decided.push(ids);
        },
      };
    },
    reject(ids) {
      decided.push(ids);
      update(rejectHunks(file, ids));
    },
    async takeBack() {
      const isDecidedIn = (ids: ReadonlySet<number>): boolean =>
        file.hunks.some(({ id, state }) => state !== 'pending' && ids.has(id));
      const last = decided.findLast(isDecidedIn);
      // A file that was deleted is brought back where files are: by undo in the explorer, or from the trash, or by Restore.
      if (last === undefined || isDeleted(file)) return;
      const planned = await prepare((now) => reopenHunks(now, last));
      const isWritten = (await writeLines([planned])) === 'written';
      planned.commit(isWritten);
      if (isWritten) decided.splice(decided.lastIndexOf(last), 1);
    },
    moveTo(next) {
      if (next.toString() === uri.toString()) return;
      const from = next.toString();
      const follow = (hunk: ReviewHunk): ReviewHunk =>
        hunk.whole?.kind === 'rename' && hunk.state === 'pending' ? { ...hunk, whole: { ...hunk.whole, from } } : hunk;
      uri = next;
      update({ ...file, hunks: file.hunks.map(follow) });
    },
    dispose: () => owned.dispose(),
  };
}

/** What becomes of the file where a decision is about it as a whole. */
function fileChangeOf(before: ReviewedFile, next: ReviewedFile): WholeFileChange | undefined {
  for (const { id, state, whole } of next.hunks) {
    if (whole === undefined || before.hunks.find((hunk) => hunk.id === id)?.state === state) continue;
    if (whole.kind === 'delete' && state === 'accepted') return whole;
    if (whole.kind === 'delete') continue;
    if (state === 'accepted') return { kind: 'rename', to: Uri.parse(whole.to, true) };
    if (before.hunks.find((hunk) => hunk.id === id)?.state === 'accepted')
      return { kind: 'rename', to: Uri.parse(whole.from, true) };
  }
  return undefined;
}

function pendingEdits(review: ReviewedFile): PendingEdits {
  const edits = pendingHunks(review).map(({ line, count, proposed }) => ({ line, removed: count, inserted: proposed }));
  return { lines: review.lines, edits };
}

/** What is proposed, in the place of all lines. */
function wholeText(review: ReviewedFile, lines: readonly string[]): PendingEdits {
  return { lines, edits: [{ line: 0, removed: lines.length, inserted: pendingText(review) }] };
}

function nextIdOf({ hunks }: ReviewedFile): number {
  return hunks.reduce((most, { id }) => Math.max(most, id), -1) + 1;
}

/** How many hunks of a document are not decided on yet. */
export function pendingCount({ file }: ReviewedDocument): number {
  return pendingHunks(file).length;
}

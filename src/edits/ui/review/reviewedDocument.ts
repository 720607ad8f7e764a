import {
  type Disposable,
  type Event,
  EventEmitter,
  type TextDocument,
  TextDocumentChangeReason,
  type Uri,
  workspace,
} from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { LineEdit } from '../../place/lines/lineEdit.ts';
import { toLineEdit } from '../../review/documentChange.ts';
import { areLines } from '../../review/mergeLines.ts';
import {
  acceptHunks,
  type Decision,
  followEdit,
  followText,
  followUndo,
  pendingHunks,
  type ReviewedFile,
  rejectHunks,
  reopenHunks,
  reviewFile,
} from '../../review/reviewedFile.ts';
import { allLines } from '../trackedLines.ts';
import { type DocumentEdits, writeLines } from './writeLines.ts';

/** What is proposed for one file. */
export interface ProposedFile {
  readonly uri: Uri;
  /** Whether there is no such file yet. */
  readonly isNew: boolean;
  /** What is proposed for it. */
  readonly review: ReviewedFile;
}

/** A document under review: what is proposed for it, followed while it is typed in, and decided on hunk by hunk. */
export interface ReviewedDocument extends Disposable {
  /** Of the document; it changes when the file is renamed. */
  readonly uri: Uri;
  readonly isNew: boolean;
  readonly file: ReviewedFile;
  readonly onDidChange: Event<void>;
  /** Shows other edits in the place of those so far, of which none is decided on. */
  replace(edits: readonly LineEdit[]): void;
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

export function reviewDocument(proposed: ProposedFile): ReviewedDocument {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const base = proposed.review.lines;
  let { uri, review: file } = proposed;
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
    changed.fire();
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
      return file;
    },
    onDidChange: changed.event,
    replace(edits) {
      update(followText(reviewFile(base, edits), file.lines));
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
      const last = decided.at(-1);
      if (last === undefined) return;
      const planned = await prepare((now) => reopenHunks(now, last));
      const isWritten = (await writeLines([planned])) === 'written';
      planned.commit(isWritten);
      if (isWritten) decided.splice(decided.lastIndexOf(last), 1);
    },
    moveTo(next) {
      uri = next;
    },
    dispose: () => owned.dispose(),
  };
}

/** How many hunks of a document are not decided on yet. */
export function pendingCount({ file }: ReviewedDocument): number {
  return pendingHunks(file).length;
}

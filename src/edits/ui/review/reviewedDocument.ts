import {
  type Disposable,
  type Event,
  EventEmitter,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  Uri,
  workspace,
} from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { openDocument } from '../../../editor/files/openDocument.ts';
import { acceptHunks, type Decision, reopenHunks } from '../../review/decideHunks.ts';
import {
  createFollowedReview,
  type FollowedReview,
  type PendingEdits,
  pendingEdits,
  wholeText,
} from '../../review/followedReview.ts';
import { areLines } from '../../review/mergeLines.ts';
import { pendingText } from '../../review/pendingText.ts';
import {
  followEdit,
  isDeleted,
  pendingHunks,
  type ReviewedFile,
  type ReviewHunk,
  rejectHunks,
} from '../../review/reviewedFile.ts';
import { toLineEdit } from '../../review/toLineEdit.ts';
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

/** Changes in one event beyond which the document is compared as a whole. */
const mostChanges = 20;

/** @param titleOf the title of a set, by its id */
export function reviewDocument(proposed: ProposedFile, titleOf: (set: string) => string): ReviewedDocument {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const review = createFollowedReview(proposed.review, titleOf, () => changed.fire());
  const place: FilePlace = { uri: proposed.uri, isNew: proposed.isNew };
  const decided: ReadonlySet<number>[] = [];
  const isDocument = (document: TextDocument): boolean => document.uri.toString() === documentUri(place).toString();
  const follow = (document: TextDocument): void => review.followText(allLines(document));

  async function prepare(decide: (file: ReviewedFile) => Decision): Promise<PlannedWrite> {
    const document = await openFile(place);
    const { version } = document;
    follow(document);
    const before = review.file;
    const { edits, next } = decide(before);
    review.awaitChange(next);
    return {
      document,
      version,
      edits,
      fileChange: fileChangeOf(before, next),
      commit(isWritten) {
        review.awaitChange(undefined);
        if (!isWritten) return;
        review.rememberStates(before, next);
        if (review.file !== next && areLines(review.file.lines, next.lines)) review.update(next);
      },
    };
  }

  owned.add(workspace.onDidChangeTextDocument((event) => isDocument(event.document) && followChange(event, review)));
  owned.add(workspace.onDidOpenTextDocument((document) => isDocument(document) && follow(document)));
  const isOpen = workspace.textDocuments.find(isDocument);
  if (isOpen !== undefined) follow(isOpen);

  return {
    get uri() {
      return place.uri;
    },
    get isNew() {
      return place.isNew;
    },
    get file() {
      return review.shown;
    },
    get pendingText() {
      return pendingText(review.file);
    },
    onDidChange: changed.event,
    add: (set, proposed) =>
      review.replaceSet(set, () => [
        ...addLines(set, proposed, review),
        ...addWholeChange(set, proposed, place, review),
      ]),
    stream: review.streamEdits,
    remove: review.removeSet,
    async refresh() {
      // One that is open is followed; one that is gone is found out about once something is accepted.
      if (place.isNew || workspace.textDocuments.some(isDocument)) return;
      const document = await openFile(place).catch(() => undefined);
      if (document !== undefined) follow(document);
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
      review.update(rejectHunks(review.file, ids));
    },
    async takeBack() {
      const last = decided.findLast((ids) => isDecidedIn(review.file, ids));
      // A file that was deleted is brought back where files are: by undo in the explorer, or from the trash, or by Restore.
      if (last === undefined || isDeleted(review.file)) return;
      const planned = await prepare((now) => reopenHunks(now, last));
      const isWritten = (await writeLines([planned])) === 'written';
      planned.commit(isWritten);
      if (isWritten) decided.splice(decided.lastIndexOf(last), 1);
    },
    moveTo(next) {
      if (next.toString() === place.uri.toString()) return;
      place.uri = next;
      review.update(renamedFrom(review.file, next));
    },
    dispose: () => owned.dispose(),
  };
}

/** Where a file is, or is to be. */
interface FilePlace {
  uri: Uri;
  readonly isNew: boolean;
}

const documentUri = ({ uri, isNew }: FilePlace): Uri => (isNew ? uri.with({ scheme: 'untitled' }) : uri);

async function openFile({ uri, isNew }: FilePlace): Promise<TextDocument> {
  // VS Code has the text of a deleted file for a while.
  if (!isNew && workspace.fs.isWritableFileSystem(uri.scheme) === true) await workspace.fs.stat(uri);
  return openDocument(documentUri({ uri, isNew }));
}

function followChange({ document, contentChanges, reason }: TextDocumentChangeEvent, review: FollowedReview): void {
  if (contentChanges.length === 0) return;
  const isUndo = reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo;
  const isPlain = !review.isAwaiting && reason === undefined && contentChanges.length <= mostChanges;
  if (!isPlain) {
    review.followText(allLines(document), isUndo);
    return;
  }
  let next = review.file;
  // The changes of one event come from the bottom to the top, so each range holds for the text before it.
  for (const { range, text } of contentChanges) {
    next = followEdit(next, toLineEdit(next.lines, { start: range.start, end: range.end, text }));
  }
  if (next.lines.length === document.lineCount) review.update(next);
  else review.followText(allLines(document));
}

/** Adds changes of lines. @returns the hunks that they take the place of */
function addLines(set: string, proposed: ProposedFile, review: FollowedReview): readonly ReviewHunk[] {
  const { isNew, review: own, isDeleted: isGone } = proposed;
  if (isGone || own.hunks.length === 0) return [];
  // A file that another set makes already is made anew as a whole.
  const isMadeAnew = isNew && review.file.hunks.length > 0;
  return review.addEdits(set, isMadeAnew ? wholeText(own, pendingText(review.file)) : pendingEdits(own));
}

/** Adds what becomes of the file as a whole. @returns the hunks that it takes the place of */
function addWholeChange(
  set: string,
  { isDeleted: isGone, renamedTo }: ProposedFile,
  place: FilePlace,
  review: FollowedReview,
): readonly ReviewHunk[] {
  if (!isGone && renamedTo === undefined) return [];
  // A file that is not there yet is proposed elsewhere, or not any more.
  if (place.isNew && isGone) return review.dropPending();
  if (place.isNew && renamedTo !== undefined) {
    place.uri = renamedTo;
    return [];
  }
  const from = place.uri.toString();
  const isRename = !isGone && renamedTo !== undefined;
  return review.addWholeChange(set, isRename ? { kind: 'rename', from, to: renamedTo.toString() } : { kind: 'delete' });
}

function isDecidedIn({ hunks }: ReviewedFile, ids: ReadonlySet<number>): boolean {
  return hunks.some(({ id, state }) => state !== 'pending' && ids.has(id));
}

/** A review whose file is at another place now, from which it is to be renamed. */
function renamedFrom(file: ReviewedFile, uri: Uri): ReviewedFile {
  const from = uri.toString();
  const follow = (hunk: ReviewHunk): ReviewHunk =>
    hunk.whole?.kind === 'rename' && hunk.state === 'pending' ? { ...hunk, whole: { ...hunk.whole, from } } : hunk;
  return { ...file, hunks: file.hunks.map(follow) };
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

/** How many hunks of a document are not decided on yet. */
export function pendingCount({ file }: ReviewedDocument): number {
  return pendingHunks(file).length;
}

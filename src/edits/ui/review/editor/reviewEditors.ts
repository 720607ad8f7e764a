import {
  type Disposable,
  l10n,
  languages,
  Selection,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  type Uri,
  ViewColumn,
  workspace,
} from 'vscode';
import { Disposables } from '../../../../editor/disposables.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { window } from '../../../../editor/text/window.ts';
import { isDeleted } from '../../../review/reviewedFile.ts';
import { type ReviewText, toFileLine } from '../../../review/reviewText.ts';
import type { ChangeSets } from '../changeSet.ts';
import type { ReviewedDocument } from '../reviewedDocument.ts';
import { createDrawnReviews } from './drawnReviews.ts';
import { createReviewMarks } from './reviewMarks.ts';
import { closeReviews, columnOf, reviewScheme, reviewUri, showFile } from './reviewTabs.ts';

/** A review that an editor shows. */
export interface OpenReview {
  readonly document: ReviewedDocument;
  readonly text: ReviewText;
}

/** The editors in which files are reviewed: one a file, in the place of the file's own. */
export interface ReviewEditors extends Disposable {
  /** Shows the review of a file, at a line of the file, else at its first hunk. */
  open(document: ReviewedDocument, line?: number): Promise<void>;
  /** Closes the review of a file, and shows the file in its place where that was in sight. */
  close(document: ReviewedDocument): Promise<void>;
  /** Whether the review of a file is in sight. */
  isOpen(document: ReviewedDocument): boolean;
  /** The review that a text document shows. */
  reviewOf(document: TextDocument): OpenReview | undefined;
}

export function createReviewEditors(sets: ChangeSets): ReviewEditors {
  const owned = new Disposables();
  const drawn = owned.add(createDrawnReviews(sets));
  const marks = owned.add(createReviewMarks());
  /** Reviews that show an older text still, and the line of the file to go to once they show theirs. */
  const waiting = new Map<string, number | undefined>();
  /** Reviews that are being opened, by their address; `isWanted` is false once one is closed before it is there. */
  const opening = new Map<string, { isWanted: boolean; readonly ended: Promise<unknown> }>();

  function mark(): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document.uri.scheme !== reviewScheme) continue;
      const shown = drawn.shownIn(editor.document);
      if (shown === undefined) continue;
      marks.draw(editor, shown.text);
      const address = editor.document.uri.toString();
      // An answer that is still awaited has no change to go to yet, and a text that is drawn anew soon has others.
      const isCurrent = shown.file === shown.document.file && shown.text.shown.length > 0;
      if (!isCurrent || !waiting.has(address)) continue;
      goTo(editor, shown.text, waiting.get(address));
      waiting.delete(address);
    }
  }

  owned.add(drawn.onDidShow(mark));
  owned.add(window.onDidChangeVisibleTextEditors(mark));
  // The marks of another theme are others, and those that were drawn are gone.
  owned.add(window.onDidChangeActiveColorTheme(mark));
  owned.add(
    window.registerFileDecorationProvider({
      // The tabs of a file and of its review have one name.
      provideFileDecoration: ({ scheme }) =>
        scheme === reviewScheme ? { badge: plain('±'), tooltip: plain(l10n.t('Proposed changes')) } : undefined,
    }),
  );
  // A window that was reloaded may bring tabs back before there is anything to show in them; the file leads to its review.
  void closeReviews(() => true);

  /** @param isWanted whether the review is not closed yet; VS Code takes its time to open a text */
  async function open(document: ReviewedDocument, line: number | undefined, isWanted: () => boolean): Promise<void> {
    await document.refresh();
    const shown = await workspace.openTextDocument(reviewUri(document));
    const source = workspace.textDocuments.find(({ uri }) => uri.toString() === document.uri.toString());
    if (source !== undefined && source.languageId !== shown.languageId)
      await languages.setTextDocumentLanguage(shown, source.languageId);
    // VS Code keeps a text for a while, and brings back that of an earlier review.
    waiting.set(shown.uri.toString(), line);
    drawn.draw(shown.uri);
    // Its set may have been rejected meanwhile.
    const isPending = (): boolean => isWanted() && drawn.find(shown.uri) !== undefined;
    if (isPending()) await window.showTextDocument(shown, { preview: false, viewColumn: columnOf(document) });
    if (!isPending()) return closeReview(shown.uri);
    mark();
  }

  return {
    async open(document, line) {
      const address = reviewUri(document).toString();
      const before = opening.get(address);
      const opened = open(document, line, () => own.isWanted);
      const own = { isWanted: true, ended: Promise.allSettled([before?.ended, opened]) };
      opening.set(address, own);
      await own.ended;
      if (opening.get(address) === own) opening.delete(address);
      await opened;
    },
    async close(document) {
      const begun = opening.get(reviewUri(document).toString());
      // Its tab would come after the review is over.
      if (begun !== undefined) begun.isWanted = false;
      await begun?.ended;
      const editor = editorOf(document);
      const text = drawn.lastDrawn(reviewUri(document))?.text;
      if (editor !== undefined && !document.isNew && !isDeleted(document.file)) {
        const line = text === undefined ? 0 : toFileLine(text, editor.selection.active.line);
        const isActive = window.activeTextEditor === editor;
        const { viewColumn = ViewColumn.Active } = editor;
        await showFile(document.uri, line, { viewColumn, preserveFocus: !isActive });
      }
      await closeReview(reviewUri(document));
    },
    isOpen: (document) => editorOf(document) !== undefined,
    reviewOf(shown) {
      const found = drawn.find(shown.uri);
      const text = drawn.shownIn(shown)?.text;
      return found === undefined || text === undefined ? undefined : { document: found, text };
    },
    dispose: () => owned.dispose(),
  };
}

function editorOf(document: ReviewedDocument): TextEditor | undefined {
  const address = reviewUri(document).toString();
  return window.visibleTextEditors.find((editor) => editor.document.uri.toString() === address);
}

function goTo(editor: TextEditor, { shown }: ReviewText, line: number | undefined): void {
  const at = shown.find(({ hunk }) => line === undefined || hunk.line >= line)?.line ?? shown[0]?.line ?? 0;
  editor.selection = new Selection(at, 0, at, 0);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
}

async function closeReview(review: Uri): Promise<void> {
  await closeReviews((uri) => uri.toString() === review.toString());
}

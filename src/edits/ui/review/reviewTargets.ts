import { Uri } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { pendingHunks, type ReviewHunk } from '../../review/reviewedFile.ts';
import { hunkAt } from '../../review/reviewText.ts';
import { type ChangeSet, type ChangeSets, pendingOf } from './changeSet.ts';
import { isReviewRow } from './changesView.ts';
import type { OpenReview, ReviewEditors } from './editor/reviewEditors.ts';
import { pendingCount, type ReviewedDocument } from './reviewedDocument.ts';

/** A document under review; one of its sets beside it, where that one is meant. */
export interface Reviewed {
  readonly document: ReviewedDocument;
  readonly set?: ChangeSet;
}

/** Tells what a command of a review is meant for. */
export interface ReviewTargets {
  /** The review in the active editor. */
  activeReview(): OpenReview | undefined;
  /** The file that is given, or that of the active editor, or the only one; once what was kept before a reload is there. */
  reviewed(argument: unknown): Promise<Reviewed | undefined>;
  /** The hunks that are meant where no single one is: all of the file, or those of one set. */
  hunksOf(found: Reviewed): ReadonlySet<number> | undefined;
  /** The set that is meant: that of the change at the cursor, else the newest of the file. */
  setOf(found: Reviewed): ChangeSet | undefined;
  /** Of a file, the pending hunk that the cursor is in, in its review or in the file itself. */
  hunkAtCursor(found: Reviewed): ReviewHunk | undefined;
}

/** @param restored resolves when the sets that were kept before a reload of the window are among the others */
export function createReviewTargets(sets: ChangeSets, editors: ReviewEditors, restored: Promise<void>): ReviewTargets {
  function activeReview(): OpenReview | undefined {
    const editor = window.activeTextEditor;
    return editor && editors.reviewOf(editor.document);
  }

  async function reviewed(argument: unknown): Promise<Reviewed | undefined> {
    // The editor that was active when the command was given is meant, whichever it is after the wait.
    const active = window.activeTextEditor?.document;
    await restored;
    if (argument instanceof Uri) return asReviewed(sets.find(argument.toString()));
    if (isReviewRow(argument)) {
      const { set } = argument;
      const document =
        'document' in argument ? argument.document : set.documents.find((each) => pendingOf(set, each).length > 0);
      return document && { set, document };
    }
    const [first] = sets.all;
    const found = active && (editors.reviewOf(active)?.document ?? sets.find(active.uri.toString()));
    return asReviewed(found ?? first?.documents.find(pendingCount) ?? first?.documents[0]);
  }

  function asReviewed(document: ReviewedDocument | undefined): Reviewed | undefined {
    return document && { document };
  }

  function hunksOf({ document, set }: Reviewed): ReadonlySet<number> | undefined {
    return set && new Set(pendingOf(set, document).map(({ id }) => id));
  }

  function setOf({ document, set }: Reviewed): ChangeSet | undefined {
    const hunk = hunkAtCursor({ document });
    return set ?? (hunk && sets.setOf(hunk)) ?? sets.all.findLast(({ documents }) => documents.includes(document));
  }

  function hunkAtCursor({ document }: Reviewed): ReviewHunk | undefined {
    const editor = window.activeTextEditor;
    const { line = -1 } = editor?.selection.active ?? {};
    if (editor?.document.uri.toString() === document.uri.toString()) {
      const isIn = ({ line: first, count }: ReviewHunk) => line >= first && line < first + Math.max(1, count);
      return pendingHunks(document.file).find(isIn);
    }
    const open = activeReview();
    return open?.document === document ? hunkAt(open.text, line)?.hunk : undefined;
  }

  return { activeReview, reviewed, hunksOf, setOf, hunkAtCursor };
}

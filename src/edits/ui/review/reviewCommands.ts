import { type Disposable, l10n, Selection, TextEditorRevealType, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids.ts';
import { pendingHunks, type ReviewHunk } from '../../review/reviewedFile.ts';
import { hunkAt } from '../../review/reviewText.ts';
import { type ChangeSet, type ChangeSets, pendingOf } from './changeSet.ts';
import { isReviewRow } from './changesView.ts';
import type { Decisions } from './decisions.ts';
import { addressIn, type OpenReview, type ReviewEditors, reviewScheme } from './reviewEditor.ts';
import { pendingCount, type ReviewedDocument } from './reviewedDocument.ts';

/** A document under review; one of its sets beside it, where that one is meant. */
interface Reviewed {
  readonly document: ReviewedDocument;
  readonly set?: ChangeSet;
}

type Verb = 'accept' | 'reject';

/** The commands of a review. Each takes the file, and the hunk, that a lens or a row gives; else those at the cursor. */
export function registerReviewCommands(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  decisions: Decisions,
): Disposable {
  const owned = new Disposables();

  function activeReview(): OpenReview | undefined {
    const editor = window.activeTextEditor;
    return editor && editors.reviewOf(editor.document);
  }

  /** The file that is given, or that of the active editor, or the only one. */
  function reviewed(argument: unknown): Reviewed | undefined {
    if (argument instanceof Uri) return asReviewed(sets.find(argument.toString()));
    if (isReviewRow(argument)) {
      const { set } = argument;
      const document =
        'document' in argument ? argument.document : set.documents.find((each) => pendingOf(set, each).length > 0);
      return document && { set, document };
    }
    const active = window.activeTextEditor?.document;
    const [first] = sets.all;
    const found = activeReview()?.document ?? (active && sets.find(active.uri.toString()));
    return asReviewed(found ?? first?.documents.find(pendingCount) ?? first?.documents[0]);
  }

  function asReviewed(document: ReviewedDocument | undefined): Reviewed | undefined {
    return document && { document };
  }

  /** The hunks that are meant where no single one is: all of the file, or those of one set. */
  function hunksOf({ document, set }: Reviewed): ReadonlySet<number> | undefined {
    return set && new Set(pendingOf(set, document).map(({ id }) => id));
  }

  /** The set that is meant: that of the change at the cursor, else the newest of the file. */
  function setOf({ document, set }: Reviewed): ChangeSet | undefined {
    const hunk = hunkAtCursor({ document });
    return set ?? (hunk && sets.setOf(hunk)) ?? sets.all.findLast(({ documents }) => documents.includes(document));
  }

  /** Of a file, the pending hunk that the cursor is in, in its review or in the file itself. */
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

  /** Decides on the hunk that is given, or on the one that the cursor is in, which then goes to the next one. */
  async function decideOn(found: Reviewed, id: unknown, verb: Verb): Promise<void> {
    const { document } = found;
    if (typeof id === 'number') return decisions[verb](document, new Set([id]));
    const hunk = hunkAtCursor(found);
    if (hunk === undefined) return sayNone(document, verb);
    const isReview = activeReview() !== undefined;
    await decisions[verb](document, new Set([hunk.id]));
    if (isReview && pendingCount(document) > 0 && isInSight(document)) await editors.open(document, hunk.line);
  }

  function isInSight(document: ReviewedDocument): boolean {
    const shown = window.activeTextEditor?.document.uri;
    return shown?.scheme === reviewScheme && sets.find(addressIn(shown)) === document;
  }

  function sayNone({ uri }: ReviewedDocument, verb: Verb): void {
    const shown = window.activeTextEditor?.document;
    // A review that is being drawn anew does not show yet what the cursor is in.
    if (shown?.uri.scheme === reviewScheme && activeReview() === undefined) return;
    const all =
      verb === 'accept'
        ? { title: l10n.t('Accept File'), command: Command.editAcceptFile, arguments: [uri] }
        : { title: l10n.t('Reject File'), command: Command.editRejectFile, arguments: [uri] };
    const sentence =
      verb === 'accept'
        ? l10n.t('Put the cursor in a change first, or accept all of the file.')
        : l10n.t('Put the cursor in a change first, or reject all of the file.');
    void notices.info(sentence, all);
  }

  function add(command: string, run: (found: Reviewed, id: unknown) => Promise<void>): void {
    owned.add(
      registerCommand(command as typeof Command.editAccept, notices, async (argument: unknown, id: unknown) => {
        const found = reviewed(argument);
        if (found === undefined) return void notices.info(l10n.t('No change waits for a decision.'));
        await run(found, id);
      }),
    );
  }

  /** Goes to the next hunk, or the one before; past the last of a file to the next file of its sets. */
  async function step(by: 1 | -1): Promise<void> {
    const open = activeReview();
    const found = reviewed(undefined);
    if (open === undefined) return found && editors.open(found.document);
    const editor = window.activeTextEditor;
    if (editor === undefined) return;
    const { line } = editor.selection.active;
    const { shown } = open.text;
    const next = by === 1 ? shown.find((each) => each.line > line) : shown.findLast((each) => each.line < line);
    if (next !== undefined) return goTo(next.line);
    const own = sets.all.filter(({ documents }) => documents.includes(open.document));
    const waiting = [...new Set(own.flatMap(({ documents }) => documents))].filter((each) => pendingCount(each) > 0);
    const other = waiting.at((waiting.indexOf(open.document) + by) % waiting.length);
    if (other !== undefined && other !== open.document) await editors.open(other);
    const edge = by === 1 ? shown[0] : shown.at(-1);
    if (other === open.document && edge !== undefined) goTo(edge.line);
  }

  function goTo(line: number): void {
    const editor = window.activeTextEditor;
    if (editor === undefined) return;
    editor.selection = new Selection(line, 0, line, 0);
    editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
  }

  add(Command.editReview, async ({ document, set }) => {
    const [first] = set === undefined ? [] : pendingOf(set, document);
    await editors.open(document, first?.line);
  });
  add(Command.editAccept, (found, id) => decideOn(found, id, 'accept'));
  add(Command.editReject, (found, id) => decideOn(found, id, 'reject'));
  add(Command.editAcceptFile, (found) => decisions.accept(found.document, hunksOf(found)));
  add(Command.editRejectFile, (found) => decisions.reject(found.document, hunksOf(found)));
  add(Command.editAcceptSet, async (found) => {
    const set = setOf(found);
    if (set !== undefined) await decisions.acceptSet(set);
  });
  add(Command.editRejectSet, async (found) => {
    const set = setOf(found);
    if (set !== undefined) await decisions.rejectSet(set);
  });
  add(Command.editTakeBack, ({ document }) => decisions.takeBack(document));
  owned.add(registerCommand(Command.editNext, notices, () => step(1)));
  owned.add(registerCommand(Command.editPrevious, notices, () => step(-1)));
  return owned;
}

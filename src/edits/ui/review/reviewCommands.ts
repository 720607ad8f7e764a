import { type Disposable, l10n } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import { type ChangeSets, pendingOf } from './changeSet.ts';
import type { Decisions } from './decide/decisions.ts';
import type { ReviewEditors } from './editor/reviewEditors.ts';
import { addressIn, reviewScheme } from './editor/reviewTabs.ts';
import { pendingCount, type ReviewedDocument } from './reviewedDocument.ts';
import { stepToHunk } from './reviewSteps.ts';
import { createReviewTargets, type Reviewed } from './reviewTargets.ts';

type Verb = 'accept' | 'reject';

/**
 * The commands of a review. Each takes the file, and the hunk, that a lens or a row gives; else those at the cursor.
 * @param restored resolves when the sets that were kept before a reload of the window are there; the commands wait for it
 */
export function registerReviewCommands(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  decisions: Decisions,
  restored: Promise<void>,
): Disposable {
  const owned = new Disposables();
  const targets = createReviewTargets(sets, editors, restored);
  const { activeReview, hunkAtCursor, hunksOf, setOf } = targets;

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
        const found = await targets.reviewed(argument);
        if (found === undefined) return void notices.info(l10n.t('No change waits for a decision.'));
        await run(found, id);
      }),
    );
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
  owned.add(registerCommand(Command.editNext, notices, () => stepToHunk(1, sets, editors, targets)));
  owned.add(registerCommand(Command.editPrevious, notices, () => stepToHunk(-1, sets, editors, targets)));
  return owned;
}

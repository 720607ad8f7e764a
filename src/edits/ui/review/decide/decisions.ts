import { l10n } from 'vscode';
import { createTaskQueue } from '../../../../base/taskQueue.ts';
import type { Notices } from '../../../../editor/notices.ts';
import { pendingHunks, type ReviewHunk } from '../../../review/reviewedFile.ts';
import { type ChangeSet, type ChangeSets, isDecided, pendingOf } from '../changeSet.ts';
import type { ReviewEditors } from '../editor/reviewEditors.ts';
import { pendingCount, type ReviewedDocument } from '../reviewedDocument.ts';
import type { Checkpoints } from './checkpoints.ts';
import { createSetEndings } from './setEndings.ts';
import { createAcceptedWriter, idsOf } from './writeAccepted.ts';

/** What the user decides on proposed changes. */
export interface Decisions {
  /** @param ids of hunks; without them, all that are pending in the document, of whatever set */
  accept(document: ReviewedDocument, ids?: ReadonlySet<number>): Promise<void>;
  reject(document: ReviewedDocument, ids?: ReadonlySet<number>): Promise<void>;
  acceptSet(set: ChangeSet): Promise<void>;
  rejectSet(set: ChangeSet): Promise<void>;
  /** Takes the last decision on a document back. */
  takeBack(document: ReviewedDocument): Promise<void>;
}

export function createDecisions(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  checkpoints: Checkpoints,
): Decisions {
  const accepted = createAcceptedWriter(notices, sets, checkpoints);
  const endings = createSetEndings(notices, sets, editors, checkpoints);
  /** Decisions are made one after the other, however fast their keys are pressed. */
  const inTurn = createTaskQueue();
  /** The pending hunks that are meant. An answer that still comes in has none to decide on yet. */
  const decidable = (document: ReviewedDocument, ids?: ReadonlySet<number>): ReviewHunk[] =>
    pendingHunks(document.file).filter((hunk) => {
      const set = sets.setOf(hunk);
      return set !== undefined && set.received === undefined && (ids === undefined || ids.has(hunk.id));
    });

  return {
    accept: (document, ids) =>
      inTurn(async () => {
        const asked = decidable(document, ids);
        const fits = asked.filter(({ merged }) => merged !== undefined);
        // A key that is pressed twice means a hunk that is decided on by now, and so does one after another window wrote the same.
        if (asked.length === 0) return endings.goOn(document);
        if (fits.length === 0) return sayContradiction(notices);
        // The file is shown again after that: VS Code takes a while to show a long one, and the write would wait for it.
        const isOpen = editors.isOpen(document);
        await accepted.write([{ document, hunks: fits }]);
        await endings.goOn(document);
        // The review of a file that has another name now is another one.
        const isRenamed = fits.some(({ whole }) => whole?.kind === 'rename');
        if (isRenamed && isOpen && pendingCount(document) > 0) await editors.open(document);
      }),
    reject: (document, ids) =>
      inTurn(async () => {
        document.reject(idsOf(decidable(document, ids)));
        await endings.goOn(document);
      }),
    acceptSet: (set) =>
      inTurn(async () => {
        if (!sets.all.includes(set) || set.received !== undefined) return;
        const waiting = set.documents.filter((document) => pendingOf(set, document).length > 0);
        await accepted.write(waiting.map((document) => ({ document, hunks: pendingOf(set, document) })));
        if (isDecided(set)) return endings.endIfDecided(set);
        const left = waiting.flatMap((document) => pendingOf(set, document));
        if (left.some(({ merged }) => merged === undefined)) sayContradiction(notices);
      }),
    rejectSet: async (set) => {
      if (set.received !== undefined) return endings.drop(set);
      for (const document of set.documents) document.reject(idsOf(pendingOf(set, document)));
      await endings.endIfDecided(set);
    },
    takeBack: (document) => inTurn(() => document.takeBack()),
  };
}

function sayContradiction(notices: Notices): void {
  void notices.warn(
    l10n.t('You changed the lines that this change is for. Take your change back to accept it, or reject it.'),
  );
}

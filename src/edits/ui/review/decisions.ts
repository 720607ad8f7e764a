import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import type { Notices } from '../../../editor/notices.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids.ts';
import { pendingHunks, type ReviewHunk } from '../../review/reviewedFile.ts';
import { isReadOnly } from '../target.ts';
import { type ChangeSet, type ChangeSets, isDecided, pendingOf } from './changeSet.ts';
import { type Checkpoints, exists } from './checkpoints.ts';
import { lastName } from './renamed.ts';
import type { ReviewEditors } from './reviewEditor.ts';
import { type PlannedWrite, pendingCount, type ReviewedDocument } from './reviewedDocument.ts';
import { type WriteOutcome, writeLines } from './writeLines.ts';

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

/** Hunks of a document that are to be accepted. */
interface Wanted {
  readonly document: ReviewedDocument;
  readonly hunks: readonly ReviewHunk[];
}

const idsOf = (hunks: readonly ReviewHunk[]): ReadonlySet<number> => new Set(hunks.map(({ id }) => id));

export function createDecisions(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  checkpoints: Checkpoints,
): Decisions {
  const notKept = new WeakSet<ChangeSet>();
  /** Decisions are made one after the other, however fast their keys are pressed. */
  const inTurn = createTaskQueue();
  /** The pending hunks that are meant. An answer that still comes in has none to decide on yet. */
  const decidable = (document: ReviewedDocument, ids?: ReadonlySet<number>): ReviewHunk[] =>
    pendingHunks(document.file).filter((hunk) => {
      const set = sets.setOf(hunk);
      return set !== undefined && set.received === undefined && (ids === undefined || ids.has(hunk.id));
    });

  async function write(wanted: readonly Wanted[]): Promise<void> {
    const planned: PlannedWrite[] = [];
    let outcome: WriteOutcome = 'changed';
    const own = new Set(wanted.flatMap(({ hunks }) => hunks.flatMap((hunk) => sets.setOf(hunk) ?? [])));
    try {
      for (const { document, hunks } of wanted) {
        const next = await document.plan(idsOf(hunks)).catch(async (error: unknown) => {
          if (await exists(document.uri)) throw error;
        });
        if (next === undefined)
          return void notices.warn(
            l10n.t('{0} is not there any more, so nothing was written.', lastName(document.uri)),
          );
        planned.push(next);
      }
      const taken = await firstTaken(planned);
      if (taken !== undefined)
        return void notices.warn(l10n.t('{0} is there already, so nothing was written.', lastName(taken)));
      for (const set of own) if (!(await checkpoints.keep(set))) sayNotKept(set);
      const closed = await firstReadOnly(planned);
      // Rejecting a set does not wait for its turn: meanwhile it may be over.
      if (![...own].every((set) => sets.all.includes(set))) return;
      outcome = closed === undefined ? await writeLines(planned) : 'read-only';
      if (outcome !== 'written') return refuse(outcome, closed ?? planned[0]?.document);
    } finally {
      // Also after an error: a document must not wait for a change that never comes.
      for (const each of planned) each.commit(outcome === 'written');
    }
    for (const set of own) await checkpoints.wrote(set);
    await showNew(
      wanted.map(({ document }) => document),
      planned,
    );
  }

  /** Says once that VS Code's undo is the only way back: the disk is full, or the files are too large to be kept. */
  function sayNotKept(set: ChangeSet): void {
    if (notKept.has(set)) return;
    notKept.add(set);
    void notices.warn(
      l10n.t(
        'The files as they were before could not be kept, so Restore Files does not know them. Undo takes the changes back.',
      ),
    );
  }

  function refuse(outcome: WriteOutcome, document: TextDocument | undefined): void {
    const name = document === undefined ? '' : lastName(document.uri);
    const sentence =
      outcome === 'read-only'
        ? l10n.t('{0} can only be read, not edited.', name)
        : l10n.t('{0} was changed at this moment, so nothing was written. The changes are still proposed.', name);
    void notices.warn(sentence);
  }

  /** What follows a decision: the next file that waits for one, or the end of the sets that have none left. */
  async function goOn(document: ReviewedDocument): Promise<void> {
    const own = sets.all.filter((set) => set.received === undefined && set.documents.includes(document));
    if (pendingCount(document) === 0) {
      const next = own.flatMap((set) => set.documents).find((each) => pendingCount(each) > 0);
      await editors.close(document);
      if (next !== undefined) await editors.open(next);
    }
    for (const set of own) await end(set);
  }

  async function end(set: ChangeSet): Promise<void> {
    if (!isDecided(set)) return;
    const accepted = set.documents.map((document) => ({
      document,
      count: document.file.hunks.filter((hunk) => hunk.set === set.id && hunk.state === 'accepted').length,
    }));
    await closeDone(set);
    sets.remove(set);
    const changed = accepted.filter(({ count }) => count > 0);
    if (changed.length === 0) return;
    if (readSetting('parley.edits.saveAccepted')) await save(changed.map(({ document }) => document));
    if (set.documents.length < 2) return;
    const count = changed.reduce((sum, each) => sum + each.count, 0);
    const restore = { title: l10n.t('Restore'), command: Command.editRestore, arguments: [set.id] };
    const sentence = l10n.t('Changes accepted: {0}, in files: {1}.', count, changed.length);
    void notices.info(sentence, (await checkpoints.keep(set)) ? restore : undefined);
  }

  /** Closes the reviews of a set's files in which nothing of another set is left. */
  async function closeDone(set: ChangeSet): Promise<void> {
    for (const document of set.documents) {
      const isShared = pendingHunks(document.file).some((hunk) => hunk.set !== set.id);
      if (!isShared) await editors.close(document);
    }
  }

  return {
    accept: (document, ids) =>
      inTurn(async () => {
        const asked = decidable(document, ids);
        const fits = asked.filter(({ merged }) => merged !== undefined);
        // A key that is pressed twice means a hunk that is decided on by now, and so does one after another window wrote the same.
        if (asked.length === 0) return goOn(document);
        if (fits.length === 0) return sayContradiction(notices);
        // The file is shown again after that: VS Code takes a while to show a long one, and the write would wait for it.
        const isOpen = editors.isOpen(document);
        await write([{ document, hunks: fits }]);
        await goOn(document);
        // The review of a file that has another name now is another one.
        const isRenamed = fits.some(({ whole }) => whole?.kind === 'rename');
        if (isRenamed && isOpen && pendingCount(document) > 0) await editors.open(document);
      }),
    reject: (document, ids) =>
      inTurn(async () => {
        document.reject(idsOf(decidable(document, ids)));
        await goOn(document);
      }),
    acceptSet: (set) =>
      inTurn(async () => {
        if (!sets.all.includes(set) || set.received !== undefined) return;
        const waiting = set.documents.filter((document) => pendingOf(set, document).length > 0);
        await write(waiting.map((document) => ({ document, hunks: pendingOf(set, document) })));
        if (isDecided(set)) return end(set);
        const left = waiting.flatMap((document) => pendingOf(set, document));
        if (left.some(({ merged }) => merged === undefined)) sayContradiction(notices);
      }),
    rejectSet: async (set) => {
      if (set.received !== undefined) {
        await closeDone(set);
        return sets.remove(set);
      }
      for (const document of set.documents) document.reject(idsOf(pendingOf(set, document)));
      await end(set);
    },
    takeBack: (document) => inTurn(() => document.takeBack()),
  };
}

function sayContradiction(notices: Notices): void {
  void notices.warn(
    l10n.t('You changed the lines that this change is for. Take your change back to accept it, or reject it.'),
  );
}

async function firstReadOnly(planned: readonly PlannedWrite[]): Promise<TextDocument | undefined> {
  for (const { document } of planned) if (await isReadOnly(document)) return document;
  return undefined;
}

/** A place that a file is to be renamed to, and where there is one already. */
async function firstTaken(planned: readonly PlannedWrite[]): Promise<Uri | undefined> {
  for (const { fileChange } of planned)
    if (fileChange?.kind === 'rename' && (await exists(fileChange.to))) return fileChange.to;
  return undefined;
}

/** Brings new files into sight, which nobody has opened yet. */
async function showNew(documents: readonly ReviewedDocument[], planned: readonly PlannedWrite[]): Promise<void> {
  for (const [at, { isNew }] of documents.entries()) {
    const document = planned[at]?.document;
    if (isNew && document !== undefined)
      await window.showTextDocument(document, { preview: false, preserveFocus: true });
  }
}

async function save(documents: readonly ReviewedDocument[]): Promise<void> {
  const uris = new Set(documents.map(({ uri, isNew }) => (isNew ? uri.with({ scheme: 'untitled' }) : uri).toString()));
  for (const document of workspace.textDocuments) if (uris.has(document.uri.toString())) await document.save();
}

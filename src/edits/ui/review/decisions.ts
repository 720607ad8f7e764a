import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids.ts';
import { pendingHunks } from '../../review/reviewedFile.ts';
import { isReadOnly } from '../target.ts';
import { type ChangeSet, type ChangeSets, isDecided } from './changeSet.ts';
import { type Checkpoints, exists } from './checkpoints.ts';
import type { ReviewEditors } from './reviewEditor.ts';
import { type PlannedWrite, pendingCount, type ReviewedDocument } from './reviewedDocument.ts';
import { type WriteOutcome, writeLines } from './writeLines.ts';

/** What the user decides on the changes of a set. */
export interface Decisions {
  /** @param ids of hunks; without them, all that are pending in the document */
  accept(set: ChangeSet, document: ReviewedDocument, ids?: ReadonlySet<number>): Promise<void>;
  reject(set: ChangeSet, document: ReviewedDocument, ids?: ReadonlySet<number>): Promise<void>;
  acceptSet(set: ChangeSet): Promise<void>;
  rejectSet(set: ChangeSet): Promise<void>;
  /** Takes the last decision on a document back. */
  takeBack(document: ReviewedDocument): Promise<void>;
}

/** Hunks of a document that are to be accepted. */
interface Wanted {
  readonly document: ReviewedDocument;
  readonly ids: ReadonlySet<number>;
}

const all = ({ file }: ReviewedDocument): ReadonlySet<number> => new Set(pendingHunks(file).map(({ id }) => id));

export function createDecisions(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  checkpoints: Checkpoints,
): Decisions {
  const notKept = new WeakSet<ChangeSet>();
  /** Decisions are made one after the other, however fast their keys are pressed. */
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn(run: () => Promise<void>): Promise<void> {
    const running = turn.then(run);
    turn = running.catch(() => undefined);
    return running;
  }
  const decide = (set: ChangeSet, run: () => Promise<void>): Promise<void> =>
    inTurn(async () => {
      // An answer that still comes in has nothing to decide on yet.
      if (sets.all.includes(set) && set.received === undefined) await run();
    });

  async function write(set: ChangeSet, wanted: readonly Wanted[]): Promise<void> {
    const planned: PlannedWrite[] = [];
    let outcome: WriteOutcome = 'changed';
    try {
      for (const { document, ids } of wanted) {
        const next = await document.plan(ids).catch(async (error: unknown) => {
          if (await exists(document.uri)) throw error;
        });
        if (next === undefined)
          return void notices.warn(
            l10n.t('{0} is not there any more, so nothing was written.', lastName(document.uri)),
          );
        planned.push(next);
      }
      const isKept = await checkpoints.keep(set);
      const closed = await firstReadOnly(planned);
      // Rejecting a set does not wait for its turn: meanwhile it may be over.
      if (!sets.all.includes(set)) return;
      outcome = closed === undefined ? await writeLines(planned) : 'read-only';
      if (outcome !== 'written') return refuse(outcome, closed ?? planned[0]?.document);
      if (!isKept) sayNotKept(set);
    } finally {
      // Also after an error: a document must not wait for a change that never comes.
      for (const each of planned) each.commit(outcome === 'written');
    }
    await checkpoints.wrote(set);
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

  /** What follows a decision: the next file that waits for one, or the end of the review. */
  async function goOn(set: ChangeSet, document: ReviewedDocument): Promise<void> {
    if (pendingCount(document) > 0) return;
    const next = set.documents.find((each) => pendingCount(each) > 0);
    await editors.close(document);
    if (next !== undefined) await editors.open(next);
    else await end(set);
  }

  async function end(set: ChangeSet): Promise<void> {
    if (!isDecided(set)) return;
    for (const document of set.documents) await editors.close(document);
    sets.remove(set);
    const changed = set.documents.filter(({ file }) => file.hunks.some(({ state }) => state === 'accepted'));
    if (changed.length === 0) return;
    if (readSetting('parley.edits.saveAccepted')) await save(changed);
    if (set.documents.length < 2) return;
    const count = changed.flatMap(({ file }) => file.hunks.filter(({ state }) => state === 'accepted')).length;
    const restore = { title: l10n.t('Restore'), command: Command.editRestore, arguments: [set.id] };
    const sentence = l10n.t('Changes accepted: {0}, in files: {1}.', count, changed.length);
    void notices.info(sentence, (await checkpoints.keep(set)) ? restore : undefined);
  }

  return {
    accept: (set, document, ids) =>
      decide(set, async () => {
        const wanted = ids ?? all(document);
        const asked = pendingHunks(document.file).filter(({ id }) => wanted.has(id));
        const fits = asked.filter(({ merged }) => merged !== undefined);
        // A key that is pressed twice means a hunk that is decided on by now, and so does one after another window wrote the same.
        if (asked.length === 0) return goOn(set, document);
        if (fits.length === 0) return sayContradiction(notices);
        // The file is shown again after that: VS Code takes a while to show a long one, and the write would wait for it.
        await write(set, [{ document, ids: new Set(fits.map(({ id }) => id)) }]);
        await goOn(set, document);
      }),
    reject: (set, document, ids) =>
      decide(set, async () => {
        document.reject(ids ?? all(document));
        await goOn(set, document);
      }),
    acceptSet: (set) =>
      decide(set, async () => {
        const waiting = set.documents.filter((document) => pendingCount(document) > 0);
        await write(
          set,
          waiting.map((document) => ({ document, ids: all(document) })),
        );
        if (isDecided(set)) return end(set);
        const left = set.documents.find((document) => pendingCount(document) > 0);
        if (left !== undefined && pendingHunks(left.file).some(({ merged }) => merged === undefined))
          sayContradiction(notices);
      }),
    rejectSet: async (set) => {
      for (const document of set.documents) document.reject(all(document));
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

function lastName({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

import { l10n, type TextDocument, type Uri } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';
import type { ReviewHunk } from '../../../review/reviewedFile.ts';
import { isReadOnly } from '../../target.ts';
import type { ChangeSet, ChangeSets } from '../changeSet.ts';
import { lastName } from '../renamed.ts';
import type { PlannedWrite, ReviewedDocument } from '../reviewedDocument.ts';
import { type WriteOutcome, writeLines } from '../writeLines.ts';
import { type Checkpoints, exists } from './checkpoints.ts';
import { goneText, isGone } from './goneDocument.ts';

/** Hunks of a document that are to be accepted. */
export interface AcceptedHunks {
  readonly document: ReviewedDocument;
  readonly hunks: readonly ReviewHunk[];
}

/** Writes what is accepted, in all documents at once or in none. */
export interface AcceptedWriter {
  /** Writes hunks. Where that cannot be, the user is told why, and all stay pending. */
  write(accepted: readonly AcceptedHunks[]): Promise<void>;
}

export const idsOf = (hunks: readonly ReviewHunk[]): ReadonlySet<number> => new Set(hunks.map(({ id }) => id));

export function createAcceptedWriter(notices: Notices, sets: ChangeSets, checkpoints: Checkpoints): AcceptedWriter {
  /** Sets of which it was said that their files could not be kept. */
  const notKept = new WeakSet<ChangeSet>();

  async function write(wanted: readonly AcceptedHunks[]): Promise<void> {
    const planned: PlannedWrite[] = [];
    let outcome: WriteOutcome = 'changed';
    const own = new Set(wanted.flatMap(({ hunks }) => hunks.flatMap((hunk) => sets.setOf(hunk) ?? [])));
    try {
      for (const { document, hunks } of wanted) {
        const next = await document.plan(idsOf(hunks)).catch(async (error: unknown) => {
          if (!(await isGone(document.uri))) throw error;
        });
        if (next === undefined) return void notices.warn(goneText(document.uri, 'written'));
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
      if (outcome !== 'written') return void notices.warn(refusalText(outcome, closed ?? planned[0]?.document));
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

  return { write };
}

function refusalText(outcome: WriteOutcome, document: TextDocument | undefined): string {
  const name = document === undefined ? '' : lastName(document.uri);
  return outcome === 'read-only'
    ? l10n.t('{0} can only be read, not edited.', name)
    : l10n.t('{0} was changed at this moment, so nothing was written. The changes are still proposed.', name);
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

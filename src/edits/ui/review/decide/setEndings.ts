import { l10n, workspace } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { readSetting } from '../../../../editor/settings.ts';
import { Command } from '../../../../ids/ids.ts';
import { pendingHunks } from '../../../review/reviewedFile.ts';
import { type ChangeSet, type ChangeSets, isDecided } from '../changeSet.ts';
import type { ReviewEditors } from '../editor/reviewEditors.ts';
import { pendingCount, type ReviewedDocument } from '../reviewedDocument.ts';
import type { Checkpoints } from './checkpoints.ts';

/** What follows a decision. */
export interface SetEndings {
  /** Shows the next file that waits for a decision, and ends the sets that have none left. */
  goOn(document: ReviewedDocument): Promise<void>;
  /** Ends a set of which all is decided: its accepted files are saved, where that is set, and the user is told. */
  endIfDecided(set: ChangeSet): Promise<void>;
  /** Takes a set away whose answer still comes in. */
  drop(set: ChangeSet): Promise<void>;
}

export function createSetEndings(
  notices: Notices,
  sets: ChangeSets,
  editors: ReviewEditors,
  checkpoints: Checkpoints,
): SetEndings {
  async function goOn(document: ReviewedDocument): Promise<void> {
    const own = sets.all.filter((set) => set.received === undefined && set.documents.includes(document));
    if (pendingCount(document) === 0) {
      const next = own.flatMap((set) => set.documents).find((each) => pendingCount(each) > 0);
      await editors.close(document);
      if (next !== undefined) await editors.open(next);
    }
    for (const set of own) await endIfDecided(set);
  }

  async function endIfDecided(set: ChangeSet): Promise<void> {
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
    goOn,
    endIfDecided,
    async drop(set) {
      await closeDone(set);
      sets.remove(set);
    },
  };
}

async function save(documents: readonly ReviewedDocument[]): Promise<void> {
  const uris = new Set(documents.map(({ uri, isNew }) => (isNew ? uri.with({ scheme: 'untitled' }) : uri).toString()));
  for (const document of workspace.textDocuments) if (uris.has(document.uri.toString())) await document.save();
}

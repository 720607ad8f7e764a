import type { Disposable } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids.ts';
import { type ChangeSet, type ChangeSets, createChangeSets, type ProposedSet } from './changeSet.ts';
import { createChangesView } from './changesView.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createDecisions } from './decisions.ts';
import { keepSets } from './keptSets.ts';
import { restoreFiles } from './restore.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import { createReviewEditors, type ReviewEditors } from './reviewEditor.ts';
import { createReviewLenses } from './reviewLenses.ts';

/** The review of proposed changes, wherever they come from. */
export interface Reviews extends Disposable {
  readonly sets: ChangeSets;
  readonly editors: ReviewEditors;
  /** Shows a set, its first file in the editor. */
  propose(proposed: ProposedSet): Promise<ChangeSet>;
  /** Rejects all of a set; an answer that still comes in is given up. */
  reject(set: ChangeSet): Promise<void>;
}

export function createReviews({ context, notices, log }: Services): Reviews {
  const owned = new Disposables();
  const sets = owned.add(createChangeSets());
  const editors = owned.add(createReviewEditors(sets));
  const checkpoints = owned.add(createCheckpoints(context, log));
  const decisions = createDecisions(notices, sets, editors, checkpoints);
  owned.add(createReviewLenses(sets, editors));
  owned.add(createChangesView(sets));
  owned.add(registerReviewCommands(notices, sets, editors, decisions));
  const kept = owned.add(keepSets(context, sets, notices, log));
  void kept.restore().catch((error: unknown) => log.warn(describeForLog(error)));
  owned.add(registerCommand(Command.editRestore, notices, (id) => restoreFiles(checkpoints, notices, id)));
  return {
    sets,
    editors,
    async propose(proposed) {
      const set = sets.add(proposed);
      const [first] = set.documents;
      if (first !== undefined) await editors.open(first);
      return set;
    },
    reject: decisions.rejectSet,
    dispose: () => owned.dispose(),
  };
}

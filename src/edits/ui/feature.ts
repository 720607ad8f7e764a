import { join } from 'node:path';
import { type Disposable, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import { createPlanner } from '../planner.ts';
import { registerCodeActions } from './codeActions.ts';
import type { ToolFacts } from './editRequest.ts';
import { createEditController } from './instruction/editController.ts';
import { createProposals, type Proposals } from './proposals.ts';
import { createRefusals } from './refusals.ts';
import { createReviews } from './review/reviews.ts';
import { createUnplacedList } from './unplaced/unplacedList.ts';

/** The edits and their API for other parts of Parley. */
export interface EditsFeature extends Disposable {
  readonly proposals: Proposals;
}

/** Opens an answer of which nothing can be proposed, as a new document. */
async function showAnswer(content: unknown): Promise<void> {
  if (typeof content !== 'string') return;
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
}

/**
 * Edit With Instruction, and the review of all proposed changes: none reaches a document before the user accepts it.
 * @param facts of models: whether they have tools
 */
export function registerEdits(services: Services, facts: ToolFacts): EditsFeature {
  const { context, notices } = services;
  const owned = new Disposables();
  const reviews = owned.add(createReviews(services));
  const unplaced = createUnplacedList(notices);
  const refusals = createRefusals(notices, unplaced.keep);
  const planner = owned.add(createPlanner(context.asAbsolutePath(join('dist', 'editPlanner.cjs'))));
  const parts = { services, facts, planner, reviews, refusals };
  const edits = owned.add(createEditController(parts));
  owned.add(registerCommand(Command.editStart, notices, edits.start));
  owned.add(registerCodeActions(services));
  owned.add(registerCommand(Command.editShowAnswer, notices, showAnswer));
  owned.add(registerCommand(Command.editShowUnplaced, notices, unplaced.show));
  return { proposals: createProposals(parts), dispose: () => owned.dispose() };
}

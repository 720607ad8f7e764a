import { type Disposable, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids.ts';
import { createApply } from './applyEdit.ts';
import { createEditController } from './editController.ts';
import { type CodeProposals, createCodeProposals } from './proposeCode.ts';
import { createRefusals } from './refusals.ts';
import { createReview } from './review.ts';

/** The edits and their API for other parts of Parley. */
export interface EditsFeature extends Disposable {
  readonly proposals: CodeProposals;
}

/** Opens an answer of which nothing can be proposed, as a new document. */
async function showAnswer(content: unknown): Promise<void> {
  if (typeof content !== 'string') return;
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
}

/** Edit With Instruction: the model's change is shown, and reaches the document only when the user applies it. */
export function registerEdits(services: Services): EditsFeature {
  const { notices } = services;
  const owned = new Disposables();
  const review = owned.add(createReview());
  const refusals = createRefusals(notices);
  const edits = owned.add(createEditController(services, review, refusals));
  owned.add(registerCommand(Command.editStart, notices, edits.start));
  owned.add(registerCommand(Command.editApply, notices, createApply(notices, review, refusals)));
  owned.add(registerCommand(Command.editDiscard, notices, edits.discard));
  owned.add(registerCommand(Command.editShowAnswer, notices, showAnswer));
  return { proposals: createCodeProposals(notices, review, refusals), dispose: () => owned.dispose() };
}

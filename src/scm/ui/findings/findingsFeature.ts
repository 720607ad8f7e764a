import { commands, type Disposable } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { chooseChanges } from './chooseChanges.ts';
import { createDiffReviews } from './diffReviews.ts';
import { createFindingThreads } from './findingThreads.ts';
import { readReview } from './reviewedFiles.ts';

/** Review Changes: a model's findings on a diff stand as comments at their lines, until they are dismissed. */
export function registerFindings(services: Services, { files }: { readonly files: WorkspaceFiles }): Disposable {
  const { notices, connection } = services;
  const owned = new Disposables();
  const threads = owned.add(createFindingThreads());
  const reviews = owned.add(createDiffReviews(services, threads));

  async function review(): Promise<void> {
    // The connection is checked before the user chooses anything.
    await connection.endpoint('chat');
    const chosen = await chooseChanges(files, notices);
    if (chosen !== undefined) await reviews.start(readReview(files, chosen));
  }

  /** Proposes a change of the lines of a finding, which is the instruction for it. */
  async function fix(thread: unknown): Promise<void> {
    const request = threads.requestToFix(thread);
    if (request !== undefined) await commands.executeCommand(Command.editStart, request);
  }

  owned.add(registerCommand(Command.scmReviewChanges, notices, review));
  owned.add(registerCommand(Command.scmFixFinding, notices, fix));
  owned.add(registerCommand(Command.scmDismissFinding, notices, (thread) => threads.dismiss(thread)));
  owned.add(registerCommand(Command.scmDismissFindings, notices, () => threads.dismissAll()));
  return owned;
}

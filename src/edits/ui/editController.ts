import { commands, type Disposable, Selection } from 'vscode';
import type { LineRange } from '../../base/lines.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids.ts';
import { type EditedDocument, planEdit } from '../plan.ts';
import { askInstruction } from './askInstruction.ts';
import { createEditRequests, sharedPath } from './editRequest.ts';
import { createProposal, type Proposal } from './proposal.ts';
import type { Refusals } from './refusals.ts';
import type { Review } from './review.ts';
import { type EditRequest, findTarget, isReadOnly, readRequest } from './target.ts';
import { readLines, type TrackedLines, trackLines } from './trackedLines.ts';

/** An edit on its way: from the command to a proposal that is shown, or to the sentence that says why there is none. */
export interface EditController extends Disposable {
  /** @param argument an `EditRequest`, or anything else */
  start(argument: unknown): Promise<void>;
  /** Takes the proposal away, with its lines selected and its instruction ready for a retry. */
  discard(): Promise<void>;
}

export function createEditController(services: Services, review: Review, refusals: Refusals): EditController {
  const { connection, notices } = services;
  const requests = createEditRequests(services);
  /** An instruction that led to no proposal; offered again, so that the user need not retype it. */
  let kept = '';
  const shown = (): Proposal | undefined => review.proposal;

  async function start(argument: unknown): Promise<void> {
    const request = readRequest(argument);
    const target = await findTarget(request);
    if (target.kind !== 'lines') return refusals.empty(target, request);
    const { document } = target;
    if (await isReadOnly(document)) return refusals.readOnly(document);
    if (request.discardPending) await review.clear();
    const pending = shown();
    if (pending !== undefined) return refusals.second(pending.lines.document, target, request);
    // The connection is checked before the user types anything.
    await connection.endpoint('chat');
    const lines = trackLines(document, target.lines);
    const instruction = request.instruction ?? (await askInstruction(lines, kept));
    if (instruction !== undefined) {
      kept = instruction;
      await propose(lines, instruction);
    }
    if (shown()?.lines !== lines) lines.dispose();
  }

  async function propose(lines: TrackedLines, instruction: string): Promise<void> {
    try {
      const answer = await requests.ask(lines, instruction);
      if (!lines.isUnchanged()) return refusals.changed(lines, instruction);
      const plan = planEdit(answer, documentOf(lines));
      if (plan.kind === 'nothing' && !plan.hasWords) return refusals.unchanged(lines);
      if (plan.kind !== 'lines') return refusals.nothing(plan, answer.text);
      const proposal = createProposal(widened(lines, plan.range), plan.newLines, instruction);
      if (proposal.hunks.length === 0) return refusals.unchanged(lines);
      kept = '';
      await review.show(proposal);
    } catch (error) {
      void offerRetry(error, lines, instruction);
    }
  }

  /** The lines are followed for as long as the message stands, and Retry is an edit like any other. */
  async function offerRetry(error: unknown, { document, range }: TrackedLines, instruction: string): Promise<void> {
    const failed = trackLines(document, range);
    const again = (): EditRequest => ({ uri: document.uri, lines: failed.range, instruction });
    try {
      await notices.error(error, () => commands.executeCommand(Command.editStart, again()));
    } finally {
      failed.dispose();
    }
  }

  return {
    start,
    async discard() {
      const { proposal } = review;
      if (proposal === undefined) return;
      kept = proposal.instruction;
      await review.clear();
      select(proposal);
    },
    dispose: () => requests.dispose(),
  };
}

function documentOf({ document, range }: TrackedLines): EditedDocument {
  const lines = readLines(document, 0, document.lineCount - 1);
  return { path: sharedPath(document.uri), lines, selection: range };
}

/** The lines themselves, or those of an answer that changes more than was selected. */
function widened(lines: TrackedLines, range: LineRange): TrackedLines {
  const { first, last } = lines.range;
  return range.first === first && range.last === last ? lines : trackLines(lines.document, range);
}

function select({ lines: { document, range } }: Proposal): void {
  const editor = window.visibleTextEditors.find((each) => each.document === document);
  if (editor === undefined) return;
  editor.selection = new Selection(range.first, 0, range.last, document.lineAt(range.last).text.length);
}

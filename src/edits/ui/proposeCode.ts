import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import { type LineRange, widenToLines } from '../../base/lines.ts';
import type { Notices } from '../../editor/notices.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids.ts';
import { type EditPlan, planCode } from '../plan.ts';
import { sharedPath } from './editRequest.ts';
import { createProposal } from './proposal.ts';
import { nameOf, type Refusals } from './refusals.ts';
import type { Review } from './review.ts';
import { isReadOnly } from './target.ts';
import { readLines, trackLines } from './trackedLines.ts';

/** Shows code that is at hand, as that of an answer, as a change to decide on. */
export interface CodeProposals {
  /** @param uri of the document that the code belongs to; without one, that of the active editor is meant */
  propose(code: string, uri: Uri | undefined): Promise<void>;
}

export function createCodeProposals(notices: Notices, review: Review, refusals: Refusals): CodeProposals {
  async function propose(code: string, document: TextDocument, selected: LineRange | undefined): Promise<void> {
    if (await isReadOnly(document)) return refusals.readOnly(document);
    const pending = review.proposal;
    if (pending !== undefined) return pendingFirst(notices, pending.lines.document);
    const plan = planFor(document, code, selected);
    if (plan.kind === 'nothing') return hasAlready(document);
    if (plan.kind === 'unresolved') return refusals.nothing(plan, code);
    const lines = trackLines(document, plan.range);
    const proposal = createProposal(lines, plan.newLines, '');
    if (proposal.hunks.length > 0) return review.show(proposal);
    lines.dispose();
    hasAlready(document);
  }

  function hasAlready(document: TextDocument): void {
    void notices.info(l10n.t('{0} has this code already.', nameOf(document)));
  }

  return {
    async propose(code, uri) {
      const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
      const document = uri === undefined ? editor?.document : await workspace.openTextDocument(uri);
      if (document === undefined) return nowhere(notices);
      // VS Code brings an old selection back into a file that it opens again: what the user does not see is not meant.
      const selected = selectedLines(document);
      await window.showTextDocument(document, { preview: false });
      await propose(code, document, selected);
    },
  };
}

/** @param selected the lines that the code takes the place of, if the user selected any */
function planFor(document: TextDocument, code: string, selected: LineRange | undefined): EditPlan {
  const lines = readLines(document, 0, document.lineCount - 1);
  const cursor = window.visibleTextEditors.find((each) => each.document === document)?.selection.active.line;
  return planCode(
    code,
    { path: sharedPath(document.uri), lines, selection: selected },
    cursor ?? document.lineCount - 1,
  );
}

function selectedLines(document: TextDocument): LineRange | undefined {
  const selection = window.visibleTextEditors.find((each) => each.document === document)?.selection;
  return selection === undefined || selection.isEmpty ? undefined : widenToLines(selection.start, selection.end);
}

function pendingFirst(notices: Notices, document: TextDocument): void {
  const sentence = l10n.t('An edit of {0} still waits for Apply or Discard.', nameOf(document));
  void notices.warn(sentence, { title: l10n.t('Discard Edit'), command: Command.editDiscard });
}

function nowhere(notices: Notices): void {
  void notices.warn(l10n.t('No editor is open to apply to.'), {
    title: l10n.t('Go to File'),
    command: 'workbench.action.quickOpen',
  });
}

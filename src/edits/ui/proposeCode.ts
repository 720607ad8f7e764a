import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import { fenced } from '../../base/codeFence.ts';
import { ServiceError } from '../../base/errors.ts';
import { type LineRange, splitLines, widenToLines } from '../../base/lines.ts';
import type { Notices } from '../../editor/notices.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids.ts';
import { placeCode } from '../placement.ts';
import { planEdit } from '../plan.ts';
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
    const { range, newLines } = planCode(document, code, selected);
    const lines = trackLines(document, range);
    const proposal = createProposal(lines, newLines, '');
    if (proposal.hunks.length > 0) return review.show(proposal);
    lines.dispose();
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
      try {
        await propose(code, document, selected);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'truncated') throw error;
        void notices.warn(l10n.t('The code leaves lines out, so it cannot be applied as it is.'));
      }
    },
  };
}

/** @throws ServiceError `truncated` for code that leaves lines out */
function planCode(
  document: TextDocument,
  code: string,
  selected: LineRange | undefined,
): { range: LineRange; newLines: string[] } {
  const codeLines = splitLines(code.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, ''));
  const all = readLines(document, 0, document.lineCount - 1);
  const after = window.visibleTextEditors.find((each) => each.document === document)?.selection.active.line;
  const { lines, isAfter } =
    selected === undefined
      ? placeCode(all, codeLines, after ?? document.lineCount - 1)
      : { lines: selected, isAfter: false };
  const old = all.slice(lines.first, lines.last + 1);
  const planned = planEdit({ text: fenced(codeLines.join('\n'), '') }, isAfter ? codeLines : old);
  return { range: lines, newLines: isAfter ? [...old, ...planned] : planned };
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

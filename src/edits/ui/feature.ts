import { type Disposable, l10n, Selection, type TextDocument, window, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { applyProposal, createProposal } from './proposal.ts';
import { requestEdit } from './request.ts';
import { createReview } from './review.ts';
import { type EditRequest, findTarget, isReadOnly, readRequest, type Target } from './target.ts';
import { type TrackedLines, trackLines } from './trackedLines.ts';

/** Edit With Instruction: the model's change is shown, and reaches the document only when the user applies it. */
export function registerEdits(services: Services): Disposable {
  const { notices } = services;
  const owned = new Disposables();
  const review = owned.add(createReview());
  const { client } = services;
  /** The request on its way; there is one at most. */
  let running: AbortController | undefined;
  /** What the last edit was about; kept for Retry. */
  let tracked: TrackedLines | undefined;
  /** An instruction that led to no proposal; offered again, so that it need not be typed again. */
  let kept = '';
  let isApplying = false;

  async function start(argument: unknown): Promise<void> {
    const request = readRequest(argument);
    const target = await findTarget(request);
    if (target.kind !== 'lines') return refuseEmpty(target, request);
    const { document } = target;
    if (await isReadOnly(document)) return refuseReadOnly(document);
    if (request.discardPending) await review.clear();
    if (review.proposal !== undefined) return refuseSecond(review.proposal.lines.document, target, request);
    // Says what is missing before anything is typed.
    await services.connection.endpoint('chat');
    const lines = trackLines(document, target.lines);
    const instruction = request.instruction ?? (await askInstruction(lines, kept));
    if (instruction === undefined) return lines.dispose();
    kept = instruction;
    tracked?.dispose();
    tracked = lines;
    await propose(lines, instruction);
  }

  async function propose(lines: TrackedLines, instruction: string): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const closing = workspace.onDidCloseTextDocument((closed) => {
      if (closed === lines.document && closed.isClosed) controller.abort();
    });
    try {
      const newLines = await requestEdit(services, client, lines, instruction, controller.signal);
      const proposal = createProposal(lines, newLines, instruction);
      if (!lines.isUnchanged()) refuseChanged(lines, instruction);
      else if (proposal.hunks.length === 0) sayUnchanged(lines);
      else {
        kept = '';
        tracked = undefined;
        await review.show(proposal);
      }
    } catch (error) {
      void notices.error(error, () => propose(lines, instruction));
    } finally {
      closing.dispose();
      if (running === controller) running = undefined;
    }
  }

  async function apply(): Promise<void> {
    const { proposal } = review;
    if (proposal === undefined) {
      void notices.info(l10n.t('There is no edit to apply.'));
      return;
    }
    if (isApplying) return;
    isApplying = true;
    try {
      const outcome = await applyProposal(proposal);
      if (outcome === 'applied') await review.clear();
      else if (outcome === 'changed') refuseChanged(proposal.lines, proposal.instruction);
      else refuseReadOnly(proposal.lines.document);
    } finally {
      isApplying = false;
    }
  }

  /** Leaves the lines selected and the instruction at hand, for another try. */
  async function discard(): Promise<void> {
    const { proposal } = review;
    if (proposal === undefined) return;
    kept = proposal.instruction;
    const { document, range } = proposal.lines;
    await review.clear();
    const editor = window.visibleTextEditors.find((each) => each.document === document);
    if (editor === undefined) return;
    editor.selection = new Selection(range.first, 0, range.last, document.lineAt(range.last).text.length);
  }

  const editLines = (title: string, target: Target, request: EditRequest) => ({
    title,
    command: Command.editStart,
    arguments: [{ ...request, ...(target.kind === 'none' ? {} : { uri: target.document.uri, lines: target.lines }) }],
  });

  function refuseEmpty(target: Target, request: EditRequest): void {
    const sentence = l10n.t('Select the code to edit first.');
    const openFile = { title: l10n.t('Go to File'), command: 'workbench.action.quickOpen' };
    const action = target.kind === 'none' ? openFile : editLines(l10n.t('Edit This Line'), target, request);
    void notices.warn(sentence, action);
  }

  function refuseReadOnly(document: TextDocument): void {
    const ask = { title: l10n.t('Ask About Selection'), command: Command.selectionAsk };
    void notices.warn(l10n.t('{0} can only be read, not edited.', nameOf(document)), ask);
  }

  function refuseSecond(document: TextDocument, target: Target, request: EditRequest): void {
    const sentence = l10n.t('An edit of {0} still waits for Apply or Discard.', nameOf(document));
    void notices.warn(sentence, editLines(l10n.t('Discard and Go On'), target, { ...request, discardPending: true }));
  }

  function refuseChanged(lines: TrackedLines, instruction: string): void {
    const target: Target = { kind: 'lines', document: lines.document, lines: lines.range };
    const sentence = l10n.t('The lines were changed since the edit was asked for, so it was not applied.');
    void notices.warn(sentence, editLines(l10n.t('Try Again'), target, { instruction, discardPending: true }));
  }

  function sayUnchanged(lines: TrackedLines): void {
    const target: Target = { kind: 'lines', document: lines.document, lines: lines.range };
    void notices.info(l10n.t('The model sees nothing to change.'), editLines(l10n.t('Change Instruction'), target, {}));
  }

  owned.add(registerCommand(Command.editStart, notices, start));
  owned.add(registerCommand(Command.editApply, notices, apply));
  owned.add(registerCommand(Command.editDiscard, notices, discard));
  owned.add({
    dispose() {
      running?.abort();
      tracked?.dispose();
    },
  });
  return owned;
}

/** Asks what to change; undefined when the user leaves. */
async function askInstruction({ document, range }: TrackedLines, value: string): Promise<string | undefined> {
  const { first, last } = range;
  const typed = await window.showInputBox({
    title: l10n.t('Edit With Instruction'),
    prompt:
      first === last
        ? l10n.t('What to change in line {0} of {1}', first + 1, nameOf(document))
        : l10n.t('What to change in lines {0} to {1} of {2}', first + 1, last + 1, nameOf(document)),
    placeHolder: l10n.t('For example: return early when the list is empty'),
    value,
  });
  return typed === undefined || typed.trim() === '' ? undefined : typed.trim();
}

function nameOf({ uri }: TextDocument): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

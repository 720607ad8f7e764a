import { commands, l10n, type TextDocument, type Uri } from 'vscode';
import { type LineRange, widenToLines } from '../../base/lines.ts';
import { findFile } from '../../editor/files/findFile.ts';
import { inOwnEncoding, openDocument } from '../../editor/files/openDocument.ts';
import type { Notices } from '../../editor/notices.ts';
import { readSetting } from '../../editor/settings.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import { chatForm } from '../ask/chatForm.ts';
import { setForm } from '../ask/editForm.ts';
import type { EditPlan, WholeAnswer } from '../plan.ts';
import { proposeAgentChanges } from './agentChanges.ts';
import { nameOf, sharedPath } from './documentNames.ts';
import type { EditParts } from './editParts.ts';
import { linesOfAll, openNamed, pathsIn } from './openNamed.ts';
import { type KnownFile, proposedFiles } from './proposedFiles.ts';
import { isReadOnly } from './target.ts';
import { allLines } from './trackedLines.ts';
import { offerFurther } from './unplaced/offerFurther.ts';

/** Shows what is at hand, such as code of an answer, as changes to decide on. */
export interface Proposals {
  /** What the system message of a chat says of the form in which a model's answers change files. */
  changeForm(model: string): string;
  /** @param uri of the document that the code belongs to; without one, that of the active editor is meant */
  proposeCode(code: string, uri: Uri | undefined): Promise<void>;
  /** @param path of a file that is not there, which the code is to be */
  proposeNewFile(code: string, path: string): Promise<void>;
  /**
   * Shows all changes of an answer, in whatever files.
   * @param title names them to the user
   */
  proposeAnswer(answer: WholeAnswer, title: string): Promise<void>;
  /**
   * Shows changes of an agent, as the tool takes them. Nothing is written: the user decides later.
   * @param find finds the file at a path, which is where a new one goes, too
   * @returns what to tell the agent
   * @throws Error with a sentence for the agent, when nothing is shown
   */
  proposeChanges(
    changes: readonly unknown[],
    title: string,
    find: (path: string) => Promise<Uri | undefined>,
  ): Promise<string>;
}

export function createProposals(parts: EditParts): Proposals {
  const { services, planner, reviews, refusals } = parts;
  const { notices } = services;

  async function proposeIn(
    code: string,
    document: TextDocument,
    selected: LineRange | undefined,
    isChosen: boolean,
  ): Promise<void> {
    if (await isReadOnly(document)) return refusals.readOnly(document);
    const { uri } = document;
    const lines = reviews.pendingTextOf(uri) ?? allLines(document);
    const at = window.visibleTextEditors.find((each) => each.document === document)?.selection.active.line;
    const cursor = at === undefined ? undefined : reviews.toPending(uri, { first: at, last: at }).last;
    const selection = selected && reviews.toPending(uri, selected);
    const edited = { path: sharedPath(uri), lines, selection };
    const others = await openNamed(await pathsIn(planner, code, true), findFile, reviews);
    if (!(others instanceof Map)) return refusals.readOnly(others);
    const after = cursor ?? lines.length - 1;
    const plan = await planner.plan('code', { code, document: edited, after, others: linesOfAll(others) });
    const sentence = l10n.t('{0} has this code already.', nameOf(document));
    const title = l10n.t('Code for {0}', nameOf(document));
    await show(plan, { answer: code, title, sentence }, new Map([...others, [edited.path, { uri, lines, isChosen }]]));
  }

  /** @param sentence for a plan that changes nothing */
  async function show(
    first: EditPlan,
    { answer, title, sentence }: { readonly answer: string; readonly title: string; readonly sentence: string },
    firstKnown: ReadonlyMap<string, KnownFile>,
  ): Promise<void> {
    const { plan, known, wantsList, count, tokens } = await offerFurther(parts, first, firstKnown);
    if (count !== undefined && tokens !== undefined) refusals.askedAgain(count, tokens);
    if (plan.kind === 'nothing') return notices.info(sentence);
    if (plan.kind === 'unresolved') return void refusals.nothing(plan, answer);
    const files = await proposedFiles(plan.files, known);
    if (typeof files === 'string') return void refusals.misplaced(files, answer);
    if (files.length === 0 && plan.unplaced.length === 0) return notices.info(sentence);
    if (files.length > 0) await reviews.propose({ title, instruction: '', files });
    if (wantsList !== true) return void refusals.unplaced(plan.unplaced, answer);
    void commands.executeCommand(Command.editShowUnplaced, { blocks: plan.unplaced, answer });
  }

  return {
    changeForm: (model) =>
      chatForm(setForm(readSetting('parley.edits.formByModel'), readSetting('parley.edits.form'), model)),
    async proposeCode(code, uri) {
      const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
      const document = await (uri === undefined ? editor && inOwnEncoding(editor.document) : openDocument(uri));
      if (document === undefined) return nowhere(notices);
      // A selection in a file that the code names was made for something else, or came back with the file.
      const selected = uri === undefined ? selectedLines(document) : undefined;
      await window.showTextDocument(document, { preview: false });
      await proposeIn(code, document, selected, uri === undefined);
    },
    async proposeNewFile(code, path) {
      const plan = await planner.plan('newFile', { code, path });
      if (plan.kind !== 'edits')
        return notices.warn(l10n.t('The workspace has no file {0}, which this code is for.', path));
      const sentence = l10n.t('This answer changes no file.');
      await show({ ...plan, unplaced: [] }, { answer: code, title: l10n.t('Code for {0}', path), sentence }, new Map());
    },
    async proposeAnswer(answer, title) {
      const known = await openNamed(await pathsIn(planner, answer.text), findFile, reviews);
      if (!(known instanceof Map)) return refusals.readOnly(known);
      const sentence = l10n.t('This answer changes no file.');
      const plan = await planner.plan('answer', { answer, files: linesOfAll(known), instruction: '' });
      await show(plan, { answer: answer.text, title, sentence }, known);
    },
    proposeChanges: (changes, title, find) => proposeAgentChanges(parts, changes, title, find),
  };
}

function selectedLines(document: TextDocument): LineRange | undefined {
  const selection = window.visibleTextEditors.find((each) => each.document === document)?.selection;
  return selection === undefined || selection.isEmpty ? undefined : widenToLines(selection.start, selection.end);
}

function nowhere(notices: Notices): void {
  void notices.warn(l10n.t('No editor is open to apply to.'), {
    title: l10n.t('Go to File'),
    command: 'workbench.action.quickOpen',
  });
}

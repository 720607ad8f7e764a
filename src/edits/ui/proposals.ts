import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import { type LineRange, widenToLines } from '../../base/lines.ts';
import { findFile } from '../../editor/files/findFile.ts';
import type { Notices } from '../../editor/notices.ts';
import { window } from '../../editor/text/window.ts';
import type { Unresolved } from '../answer/resolution.ts';
import type { EditChange, EditPlan, WholeAnswer } from '../plan.ts';
import type { Planner } from '../planner.ts';
import { sharedPath } from './editRequest.ts';
import { linesOfAll, openFile, openNamed, pathsIn } from './openNamed.ts';
import { type KnownFile, proposedFiles } from './proposedFiles.ts';
import { nameOf, type Refusals } from './refusals.ts';
import type { Reviews } from './review/reviews.ts';
import { isReadOnly } from './target.ts';
import { allLines } from './trackedLines.ts';

/** Shows what is at hand, such as code of an answer, as changes to decide on. */
export interface Proposals {
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
   * Shows replacements of an agent. Nothing is written: the user decides later.
   * @param find finds the file at a path, which is where a new one goes, too
   * @returns what to tell the agent
   * @throws Error with a sentence for the agent, when nothing is shown
   */
  proposeReplacements(
    replacements: readonly EditChange[],
    title: string,
    find: (path: string) => Promise<Uri | undefined>,
  ): Promise<string>;
}

export function createProposals(notices: Notices, planner: Planner, reviews: Reviews, refusals: Refusals): Proposals {
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
    const plan = await planner.plan('code', {
      code,
      document: edited,
      after: cursor ?? lines.length - 1,
      others: linesOfAll(others),
    });
    const sentence = l10n.t('{0} has this code already.', nameOf(document));
    const title = l10n.t('Code for {0}', nameOf(document));
    await show(plan, { answer: code, title, sentence }, new Map([...others, [edited.path, { uri, lines, isChosen }]]));
  }

  /** @param sentence for a plan that changes nothing */
  async function show(
    plan: EditPlan,
    { answer, title, sentence }: { readonly answer: string; readonly title: string; readonly sentence: string },
    known: ReadonlyMap<string, KnownFile>,
  ): Promise<void> {
    if (plan.kind === 'nothing') return notices.info(sentence);
    if (plan.kind === 'unresolved') return void refusals.nothing(plan, answer);
    const files = await proposedFiles(plan.files, known);
    if (typeof files === 'string') return void refusals.misplaced(files, answer);
    const [lost] = plan.unplaced;
    if (files.length === 0 && lost !== undefined)
      return refusals.nothing({ kind: 'unresolved', reason: lost.reason }, answer);
    if (files.length === 0) return notices.info(sentence);
    await reviews.propose({ title, instruction: '', files });
    refusals.partly(plan.unplaced, answer);
  }

  return {
    async proposeCode(code, uri) {
      const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
      const document = uri === undefined ? editor?.document : await workspace.openTextDocument(uri);
      if (document === undefined) return nowhere(notices);
      // A selection in a file that the code names was made for something else, or came back with the file.
      const selected = uri === undefined ? selectedLines(document) : undefined;
      await window.showTextDocument(document, { preview: false });
      await proposeIn(code, document, selected, uri === undefined);
    },
    async proposeNewFile(code, path) {
      const plan = await planner.plan('newFile', { code, path });
      if (plan.kind === 'unresolved')
        return notices.warn(l10n.t('The workspace has no file {0}, which this code is for.', path));
      const sentence = l10n.t('This answer changes no file.');
      await show(plan, { answer: code, title: l10n.t('Code for {0}', path), sentence }, new Map());
    },
    async proposeAnswer(answer, title) {
      const known = await openNamed(await pathsIn(planner, answer.text), findFile, reviews);
      if (!(known instanceof Map)) return refusals.readOnly(known);
      const sentence = l10n.t('This answer changes no file.');
      const plan = await planner.plan('answer', { answer, files: linesOfAll(known) });
      await show(plan, { answer: answer.text, title, sentence }, known);
    },
    async proposeReplacements(replacements, title, find) {
      const known = new Map<string, KnownFile>();
      for (const path of new Set(replacements.map((each) => each.path))) {
        const file = await openFile(path, find, reviews);
        if (file === undefined) continue;
        if (!('lines' in file)) throw new Error(`${path} can only be read.`);
        known.set(path, file);
      }
      const plan = await planner.plan('changes', { changes: replacements, files: linesOfAll(known) });
      if (plan.kind === 'nothing') throw new Error('The files are like this already.');
      if (plan.kind === 'unresolved') throw new Error(unplaced(plan.reason));
      const [lost] = plan.unplaced;
      if (lost !== undefined) throw new Error(unplaced(lost.reason));
      const files = await proposedFiles(plan.files, known);
      if (typeof files === 'string') throw new Error(files);
      await reviews.propose({ title, instruction: '', files });
      const paths = plan.files.map(({ path }) => path).join(', ');
      const texts = files.map(({ uri }) => `${sharedPath(uri)}\n${reviews.pendingExcerptOf(uri)}`);
      const told = `Shown to the user, who decides on each change; nothing is written yet. Files: ${paths}`;
      return [told, 'Further changes build on this text, which has all that is proposed:', ...texts].join('\n\n');
    },
  };
}

/** Why replacements have no place, for an agent, which can mend them. */
function unplaced(reason: Unresolved): string {
  if (reason === 'ambiguous')
    return 'An oldText stands in its file more than once, or two changes overlap: give more lines.';
  if (reason === 'unknown-file') return 'A file is not in the workspace. For a new file oldText is empty.';
  return 'An oldText is not in its file. Read the file again, and give its lines as they are.';
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

import { basename } from 'node:path';
import { l10n, type TextDocument } from 'vscode';
import type { Notices } from '../../editor/notices.ts';
import type { Button } from '../../editor/sentences/errorText.ts';
import { Command } from '../../ids.ts';
import type { Unplaced, Unresolved } from '../answer/resolution.ts';
import type { EditPlan } from '../plan.ts';
import type { EditRequest, Target } from './target.ts';
import type { TrackedLines } from './trackedLines.ts';
import { unplacedText } from './unplacedText.ts';

/**
 * Reasons for no edit, each shown as a sentence with one action that helps. Where there is an answer, that shows it; `retry` asks
 * again. What tells of an answer resolves when the user has read it.
 */
export interface Refusals {
  /** Nothing is selected, or no editor is open. */
  empty(target: Target, request: EditRequest): void;
  readOnly(document: TextDocument): void;
  /** Nothing of an answer can be proposed. */
  nothing(plan: Exclude<EditPlan, { readonly kind: 'edits' }>, answer: string, retry?: () => unknown): Promise<void>;
  /** Some parts of an answer have no place, the others are proposed. */
  partly(unplaced: readonly Unplaced[], answer: string): void;
  /** An answer wants a file that Parley does not make or change; `sentence` says which. */
  misplaced(sentence: string, answer: string, retry?: () => unknown): Promise<void>;
  /** An answer failed, or was stopped. @param answer what came of it */
  failed(error: unknown, answer: string, retry: () => unknown): Promise<void>;
  /** The model gave back the same lines. */
  unchanged(lines: TrackedLines): void;
}

export function createRefusals(notices: Notices): Refusals {
  return {
    empty(target, request) {
      const openFile = { title: l10n.t('Go to File'), command: 'workbench.action.quickOpen' };
      const action = target.kind === 'none' ? openFile : editLines(l10n.t('Edit This Line'), target, request);
      void notices.warn(l10n.t('Select the code to edit first.'), action);
    },
    readOnly(document) {
      const ask = { title: l10n.t('Ask About Selection'), command: Command.selectionAsk };
      void notices.warn(l10n.t('{0} can only be read, not edited.', nameOf(document)), ask);
    },
    nothing(plan, answer, retry) {
      const sentence = plan.kind === 'nothing' ? l10n.t('The model proposes no change.') : undecided(plan.reason);
      return notices.warn(sentence, showAnswer(answer), [], retry);
    },
    partly(unplaced, answer) {
      if (unplaced.length > 0) void notices.warn(unplacedText(unplaced), showAnswer(answer));
    },
    misplaced: (sentence, answer, retry) => notices.warn(sentence, showAnswer(answer), [], retry),
    failed: (error, answer, retry) =>
      notices.error(error, retry, answer.trim() === '' ? undefined : showAnswer(answer)),
    unchanged(lines) {
      const action = editLines(l10n.t('Change Instruction'), targetOf(lines), {});
      void notices.info(l10n.t('The model sees nothing to change.'), action);
    },
  };
}

const showAnswer = (answer: string): Button => ({
  title: l10n.t('Show Answer'),
  command: Command.editShowAnswer,
  arguments: [answer],
});

function undecided(reason: Unresolved): string {
  const sentences: Readonly<Record<Unresolved, string>> = {
    cut: l10n.t('The answer was cut off, so nothing of it is proposed.'),
    'left-out': l10n.t('The model’s answer leaves out lines that nobody asked to delete, so nothing is proposed.'),
    broken: l10n.t('The file would be broken by the model’s changes, so nothing is proposed.'),
    ambiguous: l10n.t('The model’s answer does not tell for sure what to change where, so nothing is proposed.'),
    'not-found': l10n.t('The place of the model’s changes was not found in the file, so nothing is proposed.'),
    'unknown-file': l10n.t('The model’s answer is about a file that is not known here, so nothing is proposed.'),
    empty: l10n.t('A block of code in the model’s answer is empty, so nothing is proposed.'),
  };
  return sentences[reason];
}

function editLines(title: string, target: Target, request: EditRequest): Button {
  const place = target.kind === 'none' ? {} : { uri: target.document.uri, lines: target.lines };
  return { title, command: Command.editStart, arguments: [{ ...request, ...place }] };
}

function targetOf({ document, range }: TrackedLines): Target {
  return { kind: 'lines', document, lines: range };
}

/** The name of a document as the user knows it. */
export function nameOf({ uri }: TextDocument): string {
  return basename(uri.path);
}

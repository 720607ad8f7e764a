import { env, l10n, type TextDocument, type Uri } from 'vscode';
import { unseenFileText } from '../../editor/files/unseenFile.ts';
import type { Notices } from '../../editor/notices.ts';
import type { Button } from '../../editor/sentences/errorButtons.ts';
import { Command } from '../../ids/ids.ts';
import type { UnclearBlock } from '../ask/furtherQuestion.ts';
import type { EditPlan } from '../plan.ts';
import { nameOf } from './documentNames.ts';
import { goneText } from './review/decide/goneDocument.ts';
import type { EditRequest, Target } from './target.ts';
import type { TrackedLines } from './trackedLines.ts';
import type { UnplacedBlocks } from './unplaced/unplacedList.ts';

/**
 * Reasons for no edit, each shown as a sentence with one action that helps. Where there is an answer, that shows it; `retry` asks
 * again. What tells of an answer resolves when the user has read it.
 */
export interface Refusals {
  /** Nothing is selected, or no editor is open. */
  empty(target: Target, request: EditRequest): Promise<void>;
  readOnly(document: TextDocument): void;
  /** What was to be edited is not there any more. */
  gone(uri: Uri): void;
  /** Nothing of an answer can be proposed. */
  nothing(plan: Exclude<EditPlan, { readonly kind: 'edits' }>, answer: string, retry?: () => unknown): Promise<void>;
  /** Some blocks of an answer have no sure place; others may be proposed. */
  unplaced(blocks: readonly UnclearBlock[], answer: string, retry?: () => unknown): Promise<void>;
  /** An answer wants a file that Parley does not make or change; `sentence` says which. */
  misplaced(sentence: string, answer: string, retry?: () => unknown): Promise<void>;
  /** An answer failed, or was stopped. @param answer what came of it */
  failed(error: unknown, answer: string, retry: () => unknown): Promise<void>;
  /** Places were asked for again. @param tokens that this took */
  askedAgain(count: number, tokens: number): void;
  /** The model gave back the same lines. */
  unchanged(lines: TrackedLines): void;
}

/** @param keep remembers the blocks that are told of */
export function createRefusals(notices: Notices, keep: (told: UnplacedBlocks) => void): Refusals {
  return {
    async empty(target, request) {
      const openFile = { title: l10n.t('Go to File'), command: 'workbench.action.quickOpen' };
      const action = target.kind === 'none' ? openFile : editLines(l10n.t('Edit This Line'), target, request);
      const unseen = target.kind === 'none' ? await unseenFileText() : undefined;
      void notices.warn(unseen ?? l10n.t('Select the code to edit first.'), action);
    },
    readOnly(document) {
      const ask = { title: l10n.t('Ask About Selection'), command: Command.selectionAsk };
      void notices.warn(l10n.t('{0} can only be read, not edited.', nameOf(document)), ask);
    },
    gone: (uri) => void notices.warn(goneText(uri, 'edited')),
    nothing(plan, answer, retry) {
      const sentence =
        plan.kind === 'nothing'
          ? l10n.t('The model proposes no change.')
          : plan.reason === 'cut'
            ? l10n.t('The answer was cut off, so nothing of it is proposed.')
            : l10n.t('The place of the model’s changes was not found in time, so nothing is proposed.');
      return notices.warn(sentence, showAnswer(answer), [], retry);
    },
    async unplaced(blocks, answer, retry) {
      if (blocks.length === 0) return;
      keep({ blocks, answer });
      const sentence =
        blocks.length === 1
          ? l10n.t('1 block of the answer has no sure place.')
          : l10n.t('{0} blocks of the answer have no sure place.', blocks.length);
      const list = { title: l10n.t('Show Them'), command: Command.editShowUnplaced, arguments: [{ blocks, answer }] };
      await notices.warn(sentence, list, [], retry);
    },
    askedAgain(count, tokens) {
      const taken = tokens.toLocaleString(env.language);
      const sentence =
        count === 1
          ? l10n.t('Asked again for 1 place: {0} tokens.', taken)
          : l10n.t('Asked again for {0} places: {1} tokens.', count, taken);
      void notices.info(sentence);
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

function editLines(title: string, target: Target, request: EditRequest): Button {
  const place = target.kind === 'none' ? {} : { uri: target.document.uri, lines: target.lines };
  return { title, command: Command.editStart, arguments: [{ ...request, ...place }] };
}

function targetOf({ document, range }: TrackedLines): Target {
  return { kind: 'lines', document, lines: range };
}

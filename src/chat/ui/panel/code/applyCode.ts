import { l10n, type Uri } from 'vscode';
import { findFile, isThereOften } from '../../../../editor/files/findFile.ts';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';
import { type Conversation, type Message, titleOf } from '../../../conversation.ts';

/** The review of changes, as the chat is given it: code is shown as a change to decide on. */
export interface CodeReview {
  /** What the system message says of the form in which a model's answers change files. */
  changeForm(model: string): string;
  /** @param uri of the document that the code belongs to; without one, that of the active editor is meant */
  proposeCode(code: string, uri: Uri | undefined): Promise<void>;
  /** Shows code as a file that is not there yet. @param path below a folder of the workspace */
  proposeNewFile(code: string, path: string): Promise<void>;
  /** Shows all changes of an answer, in the files that it names. */
  proposeAnswer(
    answer: { readonly text: string; readonly isCut: boolean; readonly mayBeCut: boolean },
    title: string,
  ): Promise<void>;
}

/**
 * Shows code as a change to the file that the answer names for it, as that file where it is not there, or else as a change to that in
 * the active editor.
 * @param path below a folder of the workspace; a name alone may be no file's
 */
export async function applyCode(
  code: string,
  path: string | undefined,
  review: CodeReview | undefined,
  notices: Notices,
): Promise<void> {
  if (review === undefined || code.trim() === '') return;
  const uri = path === undefined ? undefined : await findFile(path);
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (path === undefined || uri !== undefined || editor?.document.uri.path.endsWith(`/${path}`))
    return review.proposeCode(code, uri);
  if (await isThereOften(path))
    return notices.warn(l10n.t('The workspace has several files {0}: open the one that is meant.', path));
  await review.proposeNewFile(code, path);
}

/** Shows all changes that an answer makes to files, as one set. */
export async function applyAnswer(
  answer: Message | undefined,
  conversation: Conversation,
  review: CodeReview | undefined,
): Promise<void> {
  if (review === undefined || answer?.role !== 'assistant') return;
  const { text, state, finishReason } = answer;
  const isCut = state !== 'complete' || finishReason === 'length' || finishReason === 'content_filter';
  const whole = { text, isCut, mayBeCut: finishReason === undefined };
  await review.proposeAnswer(whole, titleOf(conversation) || l10n.t('Untitled'));
}

import { l10n, type Uri } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { type Conversation, type Message, titleOf } from '../../../conversation.ts';
import { findFile } from '../namedFiles.ts';

/** The review of changes, as the chat is given it: code is shown as a change to decide on. */
export interface CodeReview {
  /** @param uri of the document that the code belongs to; without one, that of the active editor is meant */
  proposeCode(code: string, uri: Uri | undefined): Promise<void>;
  /** Shows all changes of an answer. @param findFile finds the file that a path in it means */
  proposeAnswer(
    answer: { readonly text: string; readonly isCut: boolean; readonly mayBeCut: boolean },
    title: string,
    findFile: (path: string) => Promise<Uri | undefined>,
  ): Promise<void>;
}

/**
 * Shows code as a change to the file that the answer names for it, or else to that in the active editor.
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
  if (path?.includes('/') && uri === undefined) {
    return notices.warn(l10n.t('The workspace has no file {0}, which this code is for.', path));
  }
  await review.proposeCode(code, uri);
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
  await review.proposeAnswer(whole, titleOf(conversation) || l10n.t('Untitled'), findFile);
}

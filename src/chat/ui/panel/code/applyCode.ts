import { l10n, type Uri } from 'vscode';
import { findFile, isThereOften } from '../../../../editor/files/findFile.ts';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';
import { meaningOf } from '../../../../service/chat/completion.ts';
import { isAbsolutePath, readFileName } from '../../../../webview/shared/fileName.ts';
import { fileInComment } from '../../../../webview/shared/namedInText.ts';
import { type Conversation, type Message, titleOf } from '../../../conversation/conversation.ts';

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
 * Shows code as a change to the file that the answer names for it, or as that file where it is not there. Only where the answer names
 * none, that in the active editor is meant; where a name is no path, or leads out of the workspace, the user is asked.
 * @param path as the answer writes it
 */
export async function applyCode(
  code: string,
  path: string | undefined,
  review: CodeReview | undefined,
  notices: Notices,
): Promise<void> {
  if (review === undefined || code.trim() === '') return;
  if (path === undefined) return review.proposeCode(code, undefined);
  const uri = await findFile(path);
  if (uri !== undefined) return review.proposeCode(code, uri);
  const open = (window.activeTextEditor ?? window.visibleTextEditors[0])?.document.uri;
  const name = readFileName(path, 'label')?.path;
  if (name !== undefined && open?.path.endsWith(name.startsWith('/') ? name : `/${name}`))
    return review.proposeCode(code, open);
  if (name === undefined || isAbsolutePath(name)) return askForFile(code, path, open, review);
  if (await isThereOften(name))
    return notices.warn(l10n.t('The workspace has several files {0}: open the one that is meant.', name));
  await review.proposeNewFile(code, name);
}

/** The name says that some file is meant, but not which: only the user may say that it is the open one. */
async function askForFile(code: string, path: string, open: Uri | undefined, review: CodeReview): Promise<void> {
  const sentence = l10n.t('The answer names “{0}” for this code, which is no file of the workspace.', path);
  const useOpen = l10n.t('Apply to {0}', open?.path.split('/').at(-1) ?? '');
  const chosen = await window.showWarningMessage(sentence, ...(open === undefined ? [] : [useOpen]));
  if (open === undefined || chosen !== useOpen) return;
  // The line with the name would say again that another file is meant.
  const [first = '', ...rest] = code.split('\n');
  await review.proposeCode(fileInComment(first) === undefined ? code : rest.join('\n'), open);
}

/** Shows all changes that an answer makes to files, as one set. */
export async function applyAnswer(
  answer: Message | undefined,
  conversation: Conversation,
  review: CodeReview | undefined,
): Promise<void> {
  if (review === undefined || answer?.role !== 'assistant') return;
  const { text, state, finishReason } = answer;
  const end = meaningOf(finishReason);
  const isCut = state !== 'complete' || (end !== 'complete' && end !== 'unknown');
  const whole = { text, isCut, mayBeCut: finishReason === undefined || end === 'unknown' };
  await review.proposeAnswer(whole, titleOf(conversation) || l10n.t('Untitled'));
}

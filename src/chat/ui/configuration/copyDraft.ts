import { commands, l10n } from 'vscode';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import { attachmentProblem } from '../../context/attachmentLimits.ts';
import { withAttachment } from '../../context/withAttachment.ts';
import type { Attachments } from '../context/attachments.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import { questionOf } from '../context/prompts/usePrompt.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';

/** What a request is drafted from. */
export interface DraftParts extends Pick<Services, 'client' | 'notices'> {
  readonly shown: ShownConversation;
  readonly attachments: Attachments;
  readonly prompts: ReadPrompts;
}

/**
 * Has the user copy, as code, the request that sending the text of the message box would make, or the last question again where that
 * is empty. Nothing is sent, and all stays where it is. @throws ServiceError where there could be no request
 */
export async function copyDraft(text: string, { shown, attachments, prompts, ...services }: DraftParts): Promise<void> {
  const { client, notices } = services;
  await shown.restored();
  await attachments.settled();
  const isNew = text.trim() !== '';
  const question = isNew ? await questionOf(text, prompts, notices) : undefined;
  if (isNew && question === undefined) return;
  let attached = attachments.list;
  for (const attachment of question?.attachments ?? []) {
    const next = withAttachment(attached, attachment);
    if (attachmentProblem(next) === undefined) attached = next;
  }
  const request = await shown.draft(question && { ...question, attachments: attached }, client.memory);
  if (request === undefined) {
    void notices.info(l10n.t('Write a question into the message box first.'));
    return;
  }
  const { url, body } = request;
  const title = isNew ? l10n.t('The Request That Would Be Sent') : l10n.t('The Request of the Last Question');
  await commands.executeCommand(Command.showExchanges, { draft: { title, url, body } });
}

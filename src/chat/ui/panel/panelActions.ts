import { commands, env, l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { Command } from '../../../ids.ts';
import type { FromChatPanel } from '../../../webview/shared/protocol.ts';
import type { Message } from '../../conversation.ts';
import type { Attachments } from '../context/attachments.ts';
import type { QuestionSearch } from '../context/questionSearch.ts';
import type { Suggestion } from '../context/suggestions.ts';
import type { Chats } from '../currentChat.ts';
import { insertAtCursor } from './insert.ts';
import { serviceErrorOf } from './messageView.ts';
import { openFile } from './namedFiles.ts';
import { openLink } from './openLink.ts';

/** Messages that are about the page itself. */
type AboutPage = Extract<
  FromChatPanel,
  { readonly type: 'ready' | 'drawn' | 'focused' | 'takeBack' | 'fork' | 'findFiles' | 'complete' | 'chooseCompletion' }
>;

/** The parts that the user's actions in the panel work with. */
export interface PanelActions {
  readonly chats: Chats;
  readonly attachments: Attachments;
  readonly search: QuestionSearch;
  readonly notices: Notices;
  /** The suggestions as they were shown last. */
  readonly suggestions: () => readonly Suggestion[];
}

/** Carries out the user's action in the panel. */
export async function act(message: Exclude<FromChatPanel, AboutPage>, panel: PanelActions): Promise<void> {
  const { chats, attachments, search, notices } = panel;
  switch (message.type) {
    case 'send':
      search.stop();
      await chats.askNext(message.text, attachments.take());
      return;
    case 'suggestion': {
      const chosen = panel.suggestions()[message.index];
      if (chosen !== undefined) await chats.ask(chosen.text, [...attachments.take(), ...chosen.attachments()]);
      return;
    }
    case 'stop':
      return chats.stop();
    case 'retry':
      await chats.retry();
      return;
    case 'regenerate': {
      const answer = messageOf(chats, message.message);
      if (answer?.role === 'assistant') await chats.retry(answer.parent);
      return;
    }
    case 'continue':
      await chats.continue(message.message);
      return;
    case 'edit':
      await chats.edit(message.message, message.text);
      return;
    case 'choose':
      return chats.change(undefined, (session) => session.choose(message.message));
    case 'delete':
      return deleteMessage(chats, message.message, notices);
    case 'connect':
      return commands.executeCommand(Command.connect);
    case 'setKey':
      return commands.executeCommand(Command.setApiKey);
    case 'pickModel':
      return commands.executeCommand(Command.chatPickModel);
    case 'helpWith':
      return helpWith(messageOf(chats, message.message));
    case 'detach':
      return attachments.remove(message.chip);
    case 'search':
      return search.run(message.text);
    case 'copy':
      return env.clipboard.writeText(message.text);
    case 'copyAnswer': {
      const answer = messageOf(chats, message.message);
      return answer && env.clipboard.writeText(answer.text);
    }
    case 'insert':
      return insertAtCursor(message.text, notices);
    case 'openFile':
      return openFile(message, notices);
    case 'openChip': {
      const question = messageOf(chats, message.message);
      const chip = question?.role === 'user' ? question.attachments.find(({ id }) => id === message.chip) : undefined;
      if (chip === undefined) return;
      return openFile({ path: chip.path, line: chip.range.startLine, endLine: chip.range.endLine }, notices);
    }
    case 'openLink':
      return openLink(message.href, notices);
  }
}

function messageOf({ conversation }: Chats, id: string): Message | undefined {
  return conversation.messages.find((message) => message.id === id);
}

/** Deletes a message of the current conversation; a button brings it back. */
async function deleteMessage(chats: Chats, id: string, notices: Notices): Promise<void> {
  const conversation = chats.conversation.id;
  let deleted: readonly string[] = [];
  await chats.change(undefined, (session) => {
    deleted = session.delete(id);
  });
  if (deleted.length === 0) return;
  void notices.info(l10n.t('The message was deleted.'), {
    title: l10n.t('Undo'),
    command: Command.chatBringBack,
    arguments: [conversation, deleted],
  });
}

async function helpWith(message: Message | undefined): Promise<void> {
  const error = message?.role === 'assistant' && message.error ? serviceErrorOf(message.error) : undefined;
  const action = error && errorText(error).action;
  if (action) await commands.executeCommand(action.command, ...(action.arguments ?? []));
}

import { commands, env } from 'vscode';
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
import { openLink } from './openLink.ts';

/** Messages in which the page speaks of itself, and not for the user. */
type AboutPage = Extract<FromChatPanel, { readonly type: 'ready' | 'drawn' }>;

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
      await chats.ask(message.text, attachments.take());
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
    case 'openLink':
      return openLink(message.href, notices);
  }
}

function messageOf({ conversation }: Chats, id: string): Message | undefined {
  return conversation.messages.find((message) => message.id === id);
}

async function helpWith(message: Message | undefined): Promise<void> {
  const error = message?.role === 'assistant' && message.error ? serviceErrorOf(message.error) : undefined;
  const action = error && errorText(error).action;
  if (action) await commands.executeCommand(action.command, ...(action.arguments ?? []));
}

import { commands, type Disposable, l10n } from 'vscode';
import { errorText } from '../../editor/errorText.ts';
import { Command } from '../../ids.ts';
import type { Usage } from '../../service/completion.ts';
import type { Answer } from '../conversation.ts';
import type { Chats } from './chats.ts';
import { serviceErrorOf } from './messageView.ts';
import type { Panel } from './panel.ts';

/** What `parley.chat.ask` resolves with when it was given a text. */
export interface AskResult {
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
}

/**
 * `parley.chat.ask(text?, {newConversation?})`. With a text it asks and resolves with the answer, or rejects with an Error
 * whose `code` is the kind of the ServiceError; without, it puts the caret into the message box. Registered directly,
 * because a caller has to learn of a failure.
 */
export function registerAsk(chats: Chats, panel: Panel): Disposable {
  return commands.registerCommand(Command.chatAsk, async (text: unknown, options: unknown) => {
    if (typeof text !== 'string' || text.trim() === '') return panel.focus();
    panel.reveal();
    if (wantsNew(options)) await chats.startNew();
    const answer = await chats.ask(text, []);
    if (answer === undefined) throw failure('cancelled', l10n.t('Stopped.'));
    return resultOf(answer);
  });
}

function wantsNew(options: unknown): boolean {
  return (
    typeof options === 'object' && options !== null && 'newConversation' in options && options.newConversation === true
  );
}

function resultOf(answer: Answer): AskResult {
  if (answer.state === 'complete') {
    const { text, finishReason, usage, model } = answer;
    return { text, finishReason, usage, model };
  }
  if (answer.error === undefined) throw failure('cancelled', l10n.t('Stopped.'));
  const known = serviceErrorOf(answer.error);
  const sentence = known === undefined ? l10n.t('Parley met an error it did not expect.') : errorText(known).sentence;
  throw failure(answer.error.kind, sentence);
}

function failure(code: string, sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

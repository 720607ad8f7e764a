import { commands, type Disposable, l10n } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import type { AskResult, ParleyCommands } from '../../../editor/api.ts';
import { argumentsOf, CommandFailure, checkArgument, forCaller, readOptions } from '../../../editor/commandError.ts';
import type { Log } from '../../../editor/log.ts';
import { Command } from '../../../ids/ids.ts';
import type { Answer } from '../../conversation/conversation.ts';
import { serviceErrorOf } from '../panel/messageView.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/**
 * `parley.chat.ask` (editor/api.ts). Without a text, as from the palette, it puts the caret into the message box. Registered
 * directly, because a caller has to learn of a failure.
 */
export function registerAsk(log: Log, surfaces: Surfaces): Disposable {
  const ask: ParleyCommands['parley.chat.ask'] = (text, options) =>
    forCaller(log, async () => {
      checkArgument(typeof text === 'string' && text.trim() !== '', 'text', l10n.t('a text that is not empty'));
      const { newConversation } = readOptions(options);
      const isFlag = newConversation === undefined || typeof newConversation === 'boolean';
      checkArgument(isFlag, 'newConversation', l10n.t('true or false'));
      const { shown, panel } = surfaces.active;
      panel.reveal();
      return resultOf(await (newConversation === true ? shown.askNew(text) : shown.askNext(text, [])));
    });
  return commands.registerCommand(Command.chatAsk, (...given: unknown[]) => {
    const [text, options] = argumentsOf(given);
    return text === undefined || text === null ? surfaces.active.panel.focus() : ask(text as string, options as object);
  });
}

/** @param answer undefined when the question was taken back before it was asked */
function resultOf(answer: Answer | undefined): AskResult {
  if (answer?.state === 'complete') {
    const { text, finishReason, usage, model } = answer;
    return { text, finishReason, usage, model };
  }
  if (answer?.error === undefined) throw new ServiceError('cancelled');
  throw (
    serviceErrorOf(answer.error) ?? new CommandFailure('unexpected', l10n.t('Parley met an error it did not expect.'))
  );
}

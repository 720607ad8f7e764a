import { type Disposable, l10n, workspace } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import { conversationToMarkdown } from '../../exchange/conversationMarkdown.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** The commands of the conversation that is shown, apart from Ask. */
export function registerChatCommands(notices: Notices, surfaces: Surfaces): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    owned.add(registerCommand(id, notices, run));
  };

  on(Command.chatNew, async (...args) => {
    const { shown, panel } = surfaces.of(args);
    await shown.startNew();
    await panel.focus();
  });
  on(Command.chatStop, () => surfaces.active.shown.stop());
  on(Command.chatRetry, () => surfaces.active.shown.retry());
  on(Command.chatContinue, () => surfaces.active.shown.continue());
  on(Command.chatFork, async (...args) => {
    const { panel } = surfaces.of(args);
    await panel.focus();
    await panel.fork();
  });
  on(Command.chatCompare, (...args) => surfaces.of(args).panel.compare());
  on(Command.chatCopyRequest, (...args) => surfaces.of(args).panel.copyRequest());
  on(Command.chatFind, (...args) => surfaces.of(args).panel.find());
  on(Command.chatExport, async (...args) => {
    const { shown } = surfaces.of(args);
    await shown.restored();
    const content = conversationToMarkdown(shown.conversation, {
      untitled: l10n.t('Conversation'),
      question: l10n.t('Question'),
      answer: l10n.t('Answer'),
      incomplete: l10n.t('This answer is not complete.'),
    });
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
  });
  return owned;
}

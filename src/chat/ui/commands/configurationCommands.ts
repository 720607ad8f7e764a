import type { Disposable } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { Services } from '../../../editor/services.ts';
import { writeSetting } from '../../../editor/settings.ts';
import { Command } from '../../../ids.ts';
import { configurationOf } from '../../configuration.ts';
import { readChatSettings } from '../chatSettings.ts';
import { isForConversation, pickChatModel } from '../configuration/chatModel.ts';
import { pickParameters } from '../configuration/pickParameters.ts';
import { createSystemPromptDocuments } from '../configuration/systemPromptDocuments.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** The commands by which a conversation gets a model, a system prompt and parameters of its own. */
export function registerConfigurationCommands(
  services: Services,
  conversations: OpenConversations,
  surfaces: Surfaces,
  instructions: InstructionFiles,
): Disposable {
  const { connection, notices } = services;
  const owned = new Disposables();
  const documents = owned.add(
    createSystemPromptDocuments({
      async read(id) {
        const kept = await conversations.find(id);
        if (kept !== undefined) await conversations.leave(kept.found);
        return kept?.found.session.conversation;
      },
      configure: (id, change) => conversations.change(id, (session) => session.configure(change)),
    }),
  );
  owned.add(conversations.onDidConfigure(({ session }) => documents.changed(session.conversation.id)));
  owned.add(
    registerCommand(Command.chatPickModel, notices, (argument) =>
      pickChatModel(services, surfaces.active.shown, isForConversation(argument)),
    ),
  );
  owned.add(
    registerCommand(Command.chatParameters, notices, async () => {
      const { shown } = surfaces.active;
      await shown.restored();
      const { id } = shown.conversation;
      const configuration = () => configurationOf(shown.conversation.configured);
      const change: Parameters<typeof pickParameters>[0]['change'] = (next) =>
        shown.change(id, (session) => session.configure(next));
      await pickParameters({
        configuration,
        change,
        settings: () => ({ ...readChatSettings(), model: connection.model('chat') }),
        instructions: () => instructions.list,
        pickModel: () => pickChatModel(services, shown, true),
        async keepModel() {
          const { model } = configuration();
          if (model === undefined) return;
          await writeSetting('parley.chat.model', model);
          await change({ model: null });
        },
        openSystemPrompt: () => documents.open(id),
      });
    }),
  );
  return owned;
}

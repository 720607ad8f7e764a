import { type Disposable, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configurationOf } from '../../parameters/configuration.ts';
import { withBias } from '../../parameters/logitBias.ts';
import { biasWords } from '../configuration/biasWords.ts';
import { isForConversation, pickChatModel } from '../configuration/chatModel.ts';
import { createConversationDocuments, type DocumentKind } from '../configuration/conversationDocuments.ts';
import { requestKind, systemPromptKind } from '../configuration/documentKinds.ts';
import { pickPreset } from '../configuration/presets.ts';
import { requestSchema } from '../configuration/requestSchema.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { chooseSchema } from '../structured/chooseSchema.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** The commands by which a conversation gets a model, a system prompt and parameters of its own. */
export function registerConfigurationCommands(
  services: Services,
  conversations: OpenConversations,
  surfaces: Surfaces,
): Disposable {
  const { client, context, connection, notices } = services;
  const owned = new Disposables();
  const request = requestKind(() => connection.model('chat'));
  const read = async (id: string): Promise<Conversation | undefined> => {
    const kept = await conversations.find(id);
    if (kept !== undefined) await conversations.leave(kept.found);
    return kept?.found.session.conversation;
  };
  const documents = owned.add(
    createConversationDocuments(
      [systemPromptKind, request],
      {
        read,
        configure: (id, change) => conversations.change(id, (session) => session.configure(change)),
      },
      requestSchema,
    ),
  );
  owned.add(conversations.onDidConfigure(({ session }) => documents.changed(session.conversation.id)));
  owned.add(conversations.onDidChangeList(() => void documents.closeGone()));
  owned.add(
    registerCommand(Command.chatPickModel, notices, (argument) =>
      pickChatModel(services, surfaces.active.shown, isForConversation(argument)),
    ),
  );
  owned.add(registerCommand(Command.chatParameters, notices, () => surfaces.active.panel.openDrawer()));
  const openDocument = async (kind: DocumentKind): Promise<void> => {
    const { shown } = surfaces.active;
    await shown.restored();
    await documents.open(kind, shown.conversation.id);
  };
  owned.add(registerCommand(Command.chatSystemPrompt, notices, () => openDocument(systemPromptKind)));
  owned.add(registerCommand(Command.chatRequest, notices, () => openDocument(request)));
  owned.add(
    registerCommand(Command.chatPresets, notices, async () => {
      const { shown } = surfaces.active;
      await shown.restored();
      const { id } = shown.conversation;
      await pickPreset({
        ...{ notices, userFolder: Uri.joinPath(context.globalStorageUri, 'presets') },
        configuration: async () => configurationOf((await read(id))?.configured ?? new Map()),
        model: () => connection.model('chat'),
        change: (next) => shown.change(id, (session) => session.configure(next)),
      });
    }),
  );
  owned.add(
    registerCommand(Command.chatSchema, notices, async () => {
      const { shown } = surfaces.active;
      await shown.restored();
      const { id } = shown.conversation;
      await chooseSchema({
        ...{ notices, userFolder: Uri.joinPath(context.globalStorageUri, 'schemas') },
        change: (format) =>
          shown.change(id, (session) => session.configure({ parameters: { response_format: format } })),
      });
    }),
  );
  owned.add(
    registerCommand(Command.chatBiasWords, notices, async () => {
      const { shown } = surfaces.active;
      await shown.restored();
      const { id } = shown.conversation;
      const { model } = configurationOf(shown.conversation.configured);
      await biasWords({
        client,
        endpoint: () => connection.endpoint('chat', undefined, model),
        // Another conversation may be shown by the time the questions are answered.
        add: (ids, bias) =>
          shown.change(id, (session) => {
            const { logit_bias: before } = configurationOf(session.conversation.configured).parameters;
            session.configure({ parameters: { logit_bias: withBias(before, ids, bias) ?? null } });
          }),
      });
    }),
  );
  return owned;
}

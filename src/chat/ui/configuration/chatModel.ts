import { l10n } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { pickModel } from '../../../editor/connection/pickModel.ts';
import type { Services } from '../../../editor/services.ts';
import { writeSetting } from '../../../editor/settings.ts';
import { configurationOf } from '../../parameters/configuration.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';

/** An argument of the command: the model is for the conversation that is shown, and no other. */
export interface PickModelArguments {
  readonly forConversation?: boolean;
}

export function isForConversation(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'forConversation' in argument
    ? argument.forConversation === true
    : false;
}

/**
 * Lets the user pick a chat model from what the service offers, or type it: for the conversation that is shown, or in the settings,
 * with which conversations start. Where the settings name none, it becomes theirs.
 */
export async function pickChatModel(
  { client, connection, keys }: Services,
  shown: Pick<ShownConversation, 'restored' | 'conversation' | 'change'>,
  forConversation: boolean,
): Promise<void> {
  const baseUrl = connection.baseUrl('chat');
  if (baseUrl === undefined) throw new ServiceError('no-address');
  await shown.restored();
  const { id, configured } = shown.conversation;
  const { model: own } = configurationOf(configured);
  const set = connection.model('chat');
  const service = await keys.withKey({ baseUrl });
  const model = await pickModel({
    title: l10n.t('Chat Model'),
    placeholder: forConversation
      ? l10n.t('The model that answers in this conversation')
      : l10n.t('The model that chats'),
    purpose: 'chat',
    current: own ?? set,
    list: (signal) => client.listModels(service, signal),
  });
  if (typeof model !== 'string') return;
  const isForAll = !forConversation || set === '';
  if (isForAll) await writeSetting('parley.chat.model', model);
  const change = { model: isForAll || model === set ? null : model };
  if (own !== undefined || change.model !== null) await shown.change(id, (session) => session.configure(change));
}

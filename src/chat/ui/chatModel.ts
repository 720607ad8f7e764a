import { l10n } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import { pickModel } from '../../editor/connection/pickModel.ts';
import type { Services } from '../../editor/services.ts';
import { writeSetting } from '../../editor/settings.ts';

/** Lets the user pick the chat model from what the service offers, or type it; writes the setting. */
export async function pickChatModel({ client, connection, keys }: Services): Promise<void> {
  const baseUrl = connection.baseUrl('chat');
  if (baseUrl === undefined) throw new ServiceError('no-address');
  const service = await keys.withKey({ baseUrl });
  const model = await pickModel({
    title: l10n.t('Chat Model'),
    placeholder: l10n.t('The model that chats'),
    purpose: 'chat',
    current: connection.model('chat'),
    list: (signal) => client.listModels(service, signal),
  });
  if (typeof model === 'string') await writeSetting('parley.chat.model', model);
}

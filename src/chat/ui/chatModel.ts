import { l10n } from 'vscode';
import { pickModel } from '../../editor/pickModel.ts';
import type { Services } from '../../editor/services.ts';
import { writeSetting } from '../../editor/settings.ts';
import { originOf } from '../../service/endpoint.ts';
import { ServiceError } from '../../service/errors.ts';
import { listModels } from '../../service/models.ts';

/** Lets the user pick the chat model from what the service offers, or type it; writes the setting. */
export async function pickChatModel({ connection, keys, transport }: Services): Promise<void> {
  const baseUrl = connection.baseUrl('chat');
  if (baseUrl === undefined) throw new ServiceError('no-address');
  const apiKey = await keys.get(originOf(baseUrl));
  const endpoint = { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) };
  const model = await pickModel({
    title: l10n.t('Chat Model'),
    placeholder: l10n.t('The model that chats'),
    purpose: 'chat',
    current: connection.model('chat'),
    list: (signal) => listModels(transport, endpoint, signal),
  });
  if (typeof model === 'string') await writeSetting('parley.chat.model', model);
}

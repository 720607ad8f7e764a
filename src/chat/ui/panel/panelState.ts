import type { Connection } from '../../../editor/connection/connection.ts';
import { plain } from '../../../editor/text/plainText.ts';
import type { PanelState } from '../../../webview/shared/protocol.ts';
import type { Attachment } from '../../context/attachment.ts';
import type { Conversation } from '../../conversation.ts';
import type { Suggestion } from '../context/suggestions.ts';
import { chipView, tokenCount } from './messageView.ts';

/** The state that the panel shows besides the messages, as it is now. */
export interface Shown {
  readonly connection: Connection;
  readonly conversation: Conversation;
  readonly attachments: readonly Attachment[];
  readonly suggestions: readonly Suggestion[];
  readonly queue: PanelState['queue'];
  readonly search: PanelState['search'];
}

/** The same state in words. */
export async function panelState(shown: Shown): Promise<PanelState> {
  const { connection, conversation, attachments, queue, suggestions, search } = shown;
  const last = conversation.messages.findLast((message) => message.role === 'assistant' && message.usage);
  const tokens = last?.role === 'assistant' ? last.usage?.totalTokens : undefined;
  const missing = await connection.missing('chat');
  return {
    connected: missing === undefined,
    keyMissing: missing === 'key',
    model: plain(connection.model('chat')),
    tokens: tokens === undefined ? '' : tokenCount(tokens),
    chips: attachments.map(chipView),
    queue: queue.map(({ id, text }) => ({ id, text })),
    search,
    suggestions: suggestions.map(({ text }) => text),
  };
}

import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import type { Connection } from '../../../editor/connection/connection.ts';
import { plain } from '../../../editor/text/plainText.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { EditedView } from '../../../webview/shared/protocol/editedProtocol.ts';
import type { PanelState } from '../../../webview/shared/protocol/protocol.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import { type Conversation, streamingAnswers } from '../../conversation/conversation.ts';
import { configurationOf } from '../../parameters/configuration.ts';
import { readChatSettings } from '../chatSettings.ts';
import { configurationText } from '../configuration/parameterTexts.ts';
import type { EditedQuestion } from '../context/editedQuestions.ts';
import type { NextAttachments } from '../context/nextAttachments.ts';
import type { Suggestion } from '../context/suggestions.ts';
import { tokenCount } from './answer/shownNumbers.ts';
import { drawerView } from './drawerView.ts';
import { chipView, instructionChip, openFileView } from './messageView.ts';

/** The state that the panel shows besides the messages, as it is now. */
export interface Shown {
  readonly connection: Connection;
  readonly client: Pick<ServiceClient, 'memory'>;
  readonly conversation: Conversation;
  readonly attachments: readonly Attachment[];
  readonly openFile: NextAttachments['openFile'];
  /** Instruction files of the workspace, which go along with each question. */
  readonly instructions: readonly InstructionFile[];
  readonly suggestions: readonly Suggestion[];
  readonly edited: readonly EditedQuestion[];
  readonly queue: PanelState['queue'];
  readonly search: PanelState['search'];
  readonly window: PanelState['window'];
}

/** The same state in words. */
export async function panelState(shown: Shown): Promise<PanelState> {
  const {
    connection,
    client,
    conversation,
    attachments,
    openFile,
    edited,
    instructions,
    queue,
    suggestions,
    search,
    window,
  } = shown;
  const configuration = configurationOf(conversation.configured);
  const last = conversation.messages.findLast((message) => message.role === 'assistant' && message.usage);
  const tokens = last?.role === 'assistant' ? last.usage?.totalTokens : undefined;
  const missing = await connection.missing('chat');
  const model = configuration.model ?? connection.model('chat');
  const address = connection.baseUrl('chat');
  const adjustments = address === undefined ? [] : client.memory.adjustments(address, model);
  return {
    connected: missing === undefined,
    keyMissing: missing === 'key',
    model: plain(model),
    parameters: plain(configurationText(configuration), { length: 200 }),
    drawer: drawerView({ configuration, settings: readChatSettings(), instructions, adjustments }),
    tokens: tokens === undefined ? '' : tokenCount(tokens),
    instructions: instructions.filter(({ uri }) => !configuration.leftOut.has(uri)).map(instructionChip),
    isWriting: streamingAnswers(conversation).length > 0,
    chips: attachments.map(chipView),
    openFile: openFile && openFileView(openFile.attachment, openFile.state),
    ...(edited.length > 0 && { edited: edited.map((each) => editedView(each)) }),
    queue: queue.map(({ id, text }) => ({ id, text })),
    search,
    window,
    suggestions: suggestions.map(({ text }) => text),
  };
}

const editedView = ({ id, attachments }: EditedQuestion): EditedView => ({
  message: id,
  chips: attachments.map(chipView),
});

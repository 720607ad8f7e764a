import { isDeepStrictEqual } from 'node:util';
import type { Choice, Conversation, Message } from '../conversation/conversation.ts';
import { passable } from '../conversation/path.ts';
import { configurationOf } from '../parameters/configuration.ts';

/** What a file of exported conversations says that it is (docs/for-extensions.md#exported-conversations). */
export const format = 'parley-conversations';
export const formatVersion = 1;

/** Conversations as the text of one JSON file. Of what is deleted only the places are in it. */
export function exportJson(conversations: readonly Conversation[]): string {
  return `${JSON.stringify({ format, version: formatVersion, conversations: conversations.map(exported) }, null, 1)}\n`;
}

/** Whether two conversations say the same, whatever they are called and which versions are shown: one is the export of the other. */
export function isSameConversation(a: Conversation, b: Conversation): boolean {
  return isDeepStrictEqual(said(a), said(b));
}

function said(conversation: Conversation): unknown[] {
  return passable(conversation).map((message) => {
    const { role, id, parent, text } = message;
    if (conversation.deleted.has(id)) return [role, id, parent];
    return [role, id, parent, text, message.role === 'user' ? message.attachments : message.reasoning];
  });
}

function exported(conversation: Conversation) {
  const { id, createdAt, updatedAt, title, isPinned, configured, tree, chosen, deleted } = conversation;
  // Instruction files are those of a folder, which another machine does not have.
  const { leftOut: _, ...configuration } = configurationOf(configured);
  const messages = passable(conversation);
  const ids = new Set(messages.map((message) => message.id));
  const isChosen = (choice: Choice): boolean => ids.has(choice.id) && tree.get(choice.id)?.at !== choice.at;
  return {
    id,
    title,
    isPinned,
    createdAt,
    updatedAt,
    configuration,
    messages: messages.map((message) => (deleted.has(message.id) ? placeOnly(message) : messageOf(message))),
    chosen: [...chosen.values()].filter(isChosen),
  };
}

function messageOf({ versions: _, ...message }: Message) {
  if (message.role === 'user') return message;
  // Whether an answer waits, or is presumed to be cut off, holds only while it is written; its probabilities are in one window alone.
  const { waitSeconds: _wait, isWaitAsked: _asked, isPresumedCut: _presumed, hasLogprobs: _told, ...answer } = message;
  return answer;
}

function placeOnly({ role, id, parent, at }: Message) {
  return { role, id, parent, at, isDeleted: true };
}

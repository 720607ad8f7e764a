import type { Action, Conversation, Message, WorkspacePlace } from './conversation.ts';
import { configureActions, messageActions } from './conversationActions.ts';

/** The new conversation of a fork: its id, where it belongs, and when it is begun. */
export interface Fork {
  readonly id: string;
  readonly at: number;
  readonly title: string;
  readonly workspace?: WorkspacePlace | undefined;
}

/**
 * The actions of a new conversation that has the path of another up to an answer, or up to a question, which is not part of it:
 * it can be asked in other words there. Model, system prompt, parameters and summaries stay the same.
 * @param message of the path that is shown
 */
export function forkActions(
  { messages, configured, summaries }: Pick<Conversation, 'messages' | 'configured' | 'summaries'>,
  message: string,
  { id, at, title, workspace }: Fork,
  newId: () => string,
): Action[] {
  const index = messages.findIndex((each) => each.id === message);
  const path = messages.slice(0, messages[index]?.role === 'assistant' ? index + 1 : Math.max(0, index));
  const copies: Message[] = [];
  const about: Action[] = [];
  for (const each of path) {
    const before = copies.at(-1);
    // An answer whose question is deleted stays behind.
    if (each.role === 'assistant' && before?.role !== 'user') continue;
    const copy = { ...each, id: newId(), parent: before?.id };
    copies.push(copy);
    const summary = summaries.get(each.id);
    if (summary !== undefined) about.push({ type: 'summarise', ...summary, upTo: copy.id });
  }
  return [
    { type: 'create', id, at, ...(workspace && { workspace }) },
    ...configureActions(configured),
    ...copies.flatMap(messageActions),
    ...about,
    { type: 'rename', title, at },
  ];
}

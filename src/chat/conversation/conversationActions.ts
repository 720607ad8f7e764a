import { type Configured, changesOf } from '../parameters/configuration.ts';
import type { Action, Conversation, Message, ToldFacts } from './conversation.ts';

/** The actions that come to this conversation, for a file of its own. What was deleted stays so. */
export function conversationActions(conversation: Conversation): Action[] {
  const { id, createdAt, workspace, tree, chosen, deleted, deletedAt } = conversation;
  const choices = [...chosen.values()].filter((choice) => tree.get(choice.id)?.at !== choice.at);
  const actions: Action[] = [
    { type: 'create', id, at: createdAt, ...(workspace && { workspace }) },
    ...configureActions(conversation.configured),
    ...[...tree.values()].flatMap(messageActions),
    ...choices.map((choice): Action => ({ type: 'choose', ...choice })),
    ...[...deleted].map((each): Action => ({ type: 'delete', ids: [each], at: deletedAt.get(each) ?? createdAt })),
  ];
  for (const summary of conversation.summaries.values()) actions.push({ type: 'summarise', ...summary });
  const { title, renamedAt, isPinned, pinnedAt } = conversation;
  if (title !== undefined) actions.push({ type: 'rename', title, at: renamedAt ?? createdAt });
  if (isPinned !== undefined) actions.push({ type: 'pin', isPinned, at: pinnedAt ?? createdAt });
  return actions;
}

/** The actions that come to what the conversation has in the place of the settings. */
export function configureActions(configured: Configured): Action[] {
  return changesOf(configured).map((change) => ({ type: 'configure', ...change }));
}

/** The actions that come to this message, where the one that it follows is there. */
export function messageActions(message: Message): Action[] {
  const { id, parent, at } = message;
  if (message.role === 'user') {
    const { text, attachments, label } = message;
    return [{ type: 'ask', id, ...(parent && { parent }), text, attachments, ...(label && { label }), at }];
  }
  if (parent === undefined) return [];
  const { text, reasoning, state, error, timings, endedAt = at } = message;
  const actions: Action[] = [{ type: 'answer', id, parent, at }];
  if (reasoning !== '') actions.push({ type: 'append', id, field: 'reasoning', text: reasoning });
  if (text !== '') actions.push({ type: 'append', id, field: 'text', text });
  const facts = toldFacts(message);
  if (Object.keys(facts).length > 0) actions.push({ type: 'describe', id, facts });
  if (state === 'streaming') return actions;
  const end = { type: 'end', id, state, totalMs: timings.totalMs ?? 0, at: endedAt } as const;
  return [...actions, error === undefined ? end : { ...end, error }];
}

/** The facts that were told of an answer, without those of the moment. */
function toldFacts(answer: Extract<Message, { readonly role: 'assistant' }>): ToldFacts {
  const { model, usage, finishReason, declined, adjustments, calls, systemFingerprint, hasLogprobs } = answer;
  const { asked, missing, fork, askedWith, limits, retriedAfter, replay, timings } = answer;
  const { firstTokenMs } = timings;
  const told = { model, usage, finishReason, declined, adjustments, calls, systemFingerprint, hasLogprobs };
  const facts = { ...told, asked, missing, fork, askedWith, limits, retriedAfter, replay };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), ...(firstTokenMs === undefined ? {} : { timings: { firstTokenMs } }) };
}

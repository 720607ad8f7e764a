import * as z from 'zod/mini';
import type { Action, Message } from '../conversation.ts';
import { messageActions } from '../conversationActions.ts';
import { errorSchema, factsSchema, pieceSchema, timingsSchema } from './actionSchema.ts';

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), id: z.string(), text: z.string(), attachments: z.array(pieceSchema) }),
  z.object({
    role: z.literal('assistant'),
    id: z.string(),
    text: z.string(),
    reasoning: z.string(),
    state: z.enum(['streaming', 'complete', 'stopped', 'failed']),
    error: errorSchema,
    timings: timingsSchema,
    ...factsSchema,
  }),
]);
const fileSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});

/**
 * The actions of a conversation as Parley kept it up to 0.3: one JSON file with all messages. The same file gives the same actions.
 * @returns undefined for anything that is not exactly such a file
 */
export function readOldFile(json: string): { readonly id: string; readonly actions: readonly Action[] } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const file = fileSchema.safeParse(value);
  if (!file.success) return undefined;
  const { id, createdAt, updatedAt, messages } = file.data;
  const actions: Action[] = [{ type: 'create', id, at: createdAt }];
  let parent: string | undefined;
  for (const [index, message] of messages.entries()) {
    // The times of single messages were not kept: they are in order, and the last is the conversation's own.
    const at = index === messages.length - 1 ? updatedAt : createdAt + index;
    // An answer that was being written when VS Code ended was cut off, whatever it looks like.
    const cut = message.role === 'assistant' && message.state === 'streaming' ? wasCut : {};
    actions.push(...messageActions({ ...message, ...cut, parent, at } as Message));
    parent = message.id;
  }
  return { id, actions };
}

const wasCut = { state: 'failed', error: { kind: 'truncated' } } as const;

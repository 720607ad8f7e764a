import * as z from 'zod/mini';
import type { Conversation, Message } from '../conversation.ts';
import { jsonPieces } from './jsonPieces.ts';

const number = z.optional(z.number());
const text = z.optional(z.string());
const attachmentSchema = z.object({
  id: z.string(),
  label: z.string(),
  languageId: z.string(),
  path: z.string(),
  range: z.object({ startLine: z.number(), endLine: z.number() }),
  text: z.string(),
});
const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), id: z.string(), text: z.string(), attachments: z.array(attachmentSchema) }),
  z.object({
    role: z.literal('assistant'),
    id: z.string(),
    text: z.string(),
    reasoning: z.string(),
    state: z.enum(['streaming', 'complete', 'stopped', 'failed']),
    error: z.optional(z.looseObject({ kind: z.string() })),
    model: text,
    usage: z.optional(z.record(z.string(), z.number())),
    timings: z.object({ firstTokenMs: number, totalMs: number }),
    finishReason: text,
    declined: z.optional(z.boolean()),
  }),
]);
const fileSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});

/** The contents of a conversation's file, in pieces: JSON, with the version of its form. */
export function writeConversation({ id, createdAt, updatedAt, messages }: Conversation): Iterable<string> {
  return jsonPieces({ version: 1, id, createdAt, updatedAt, messages });
}

/** Undefined for anything that is not exactly a conversation of ours. */
export function parseConversation(json: string): Conversation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const file = fileSchema.safeParse(value);
  if (!file.success) return undefined;
  const { id, createdAt, updatedAt } = file.data;
  const messages = (file.data.messages as Message[]).map(closeAnswer);
  return { id, createdAt, updatedAt, seq: 0, messages };
}

/** Marks an answer as cut off that was being written when VS Code ended, whatever it looks like. */
function closeAnswer(message: Message): Message {
  if (message.role === 'user' || message.state !== 'streaming') return message;
  return { ...message, state: 'failed', error: { kind: 'truncated' } };
}

import type { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as z from 'zod/mini';
import { type Conversation, type Message, titleOf } from './conversation.ts';

/** The part of node:fs/promises that is needed. */
export interface Files {
  readonly mkdir: typeof mkdir;
  readonly readdir: typeof readdir;
  readonly readFile: typeof readFile;
  readonly rename: typeof rename;
  readonly rm: typeof rm;
  readonly stat: typeof stat;
  readonly writeFile: typeof writeFile;
}

export interface Summary {
  readonly id: string;
  /** Empty for a conversation without words. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly questions: number;
}

/** The conversations on disk, each a JSON file of its own. */
export interface History {
  /** Newest first. A file that cannot be read is left out, and left alone. */
  list(): Promise<Summary[]>;
  /** Undefined when there is no such conversation, or its file is damaged. */
  load(id: string): Promise<Conversation | undefined>;
  /** Written beside and renamed, so that a crash leaves the old file or the new one, never half of one. */
  save(conversation: Conversation): Promise<void>;
  remove(id: string): Promise<void>;
}

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
  }),
]);
const fileSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});

/** @param folder made when the first conversation is saved */
export function createHistory(folder: string, files: Files): History {
  const known = new Map<string, { stamp: string; summary: Summary | undefined }>();
  /** The last write of each conversation: an older state must not overtake a newer one. */
  const writes = new Map<string, Promise<void>>();
  const fileOf = (id: string): string | undefined =>
    /^[\w-]{1,64}$/.test(id) ? path.join(folder, `${id}.json`) : undefined;

  async function load(id: string): Promise<Conversation | undefined> {
    const file = fileOf(id);
    if (file === undefined) return undefined;
    try {
      const conversation = parseConversation(await files.readFile(file, 'utf8'));
      return conversation?.id === id ? conversation : undefined;
    } catch {
      return undefined;
    }
  }

  /** Only files that changed since the last time are read. */
  async function summarise(name: string): Promise<Summary | undefined> {
    const id = name.slice(0, -'.json'.length);
    const { mtimeMs, size } = await files.stat(path.join(folder, name));
    const stamp = `${mtimeMs} ${size}`;
    let entry = known.get(id);
    if (entry?.stamp !== stamp) {
      entry = { stamp, summary: summaryOf(await load(id)) };
      known.set(id, entry);
    }
    return entry.summary;
  }

  async function write(conversation: Conversation): Promise<void> {
    const file = fileOf(conversation.id);
    if (file === undefined) throw new Error('A conversation has a malformed id.');
    const { id, createdAt, updatedAt, messages } = conversation;
    await files.mkdir(folder, { recursive: true });
    const beside = `${file}.new`;
    await files.writeFile(beside, JSON.stringify({ version: 1, id, createdAt, updatedAt, messages }), { mode: 0o600 });
    await files.rename(beside, file);
  }

  function afterWrites(id: string, next: () => Promise<void>): Promise<void> {
    const done = (writes.get(id) ?? Promise.resolve()).catch(() => {}).then(next);
    writes.set(id, done);
    return done;
  }

  return {
    load,
    async list() {
      const names = await files.readdir(folder).catch(() => []);
      const found = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => summarise(name).catch(() => undefined)),
      );
      return found.filter((summary) => summary !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
    },
    save: (conversation) => afterWrites(conversation.id, () => write(conversation)),
    async remove(id) {
      const file = fileOf(id);
      if (file !== undefined) await afterWrites(id, () => files.rm(file, { force: true }));
    },
  };
}

/** Undefined for anything that is not exactly a conversation of ours. */
function parseConversation(json: string): Conversation | undefined {
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

/** An answer that was on its way when VS Code went down was cut off, whatever it looks like. */
function closeAnswer(message: Message): Message {
  if (message.role === 'user' || message.state !== 'streaming') return message;
  return { ...message, state: 'failed', error: { kind: 'truncated' } };
}

function summaryOf(conversation: Conversation | undefined): Summary | undefined {
  if (conversation === undefined) return undefined;
  const { id, updatedAt, messages } = conversation;
  const questions = messages.filter((message) => message.role === 'user').length;
  return { id, title: titleOf(conversation), updatedAt, questions };
}

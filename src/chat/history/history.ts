import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../base/privateFiles.ts';
import { createTaskQueue, type TaskQueue } from '../../base/taskQueue.ts';
import { type Conversation, titleOf } from '../conversation.ts';
import { parseConversation, writeConversation } from './conversationFile.ts';

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
  /** Gives the conversation; undefined when there is none, or its file is corrupted. */
  load(id: string): Promise<Conversation | undefined>;
  /** Saves a conversation; a crash leaves the old file or the new one, never half of one. */
  save(conversation: Conversation): Promise<void>;
  remove(id: string): Promise<void>;
  /** Resolves when nothing is being written any more, well or not. */
  settled(): Promise<void>;
}

/** @param folder made when the first conversation is saved */
export function createHistory(folder: string): History {
  /** Queues, one for each conversation: an older state must not overtake a newer one. */
  const queues = new Map<string, TaskQueue>();
  const fileOf = (id: string): string | undefined =>
    /^[\w-]{1,64}$/.test(id) ? join(folder, `${id}.json`) : undefined;

  async function load(id: string): Promise<Conversation | undefined> {
    const file = fileOf(id);
    if (file === undefined) return undefined;
    try {
      const conversation = parseConversation(await readFile(file, 'utf8'));
      return conversation?.id === id ? conversation : undefined;
    } catch {
      return undefined;
    }
  }
  const summaries = createSummaries(load);

  async function write(conversation: Conversation): Promise<void> {
    const file = fileOf(conversation.id);
    if (file === undefined) throw new Error('A conversation has a malformed id.');
    await writeWhole(file, writeConversation(conversation));
    await summaries.learn(file, conversation);
  }

  /** Deletes a file, and the temporary files that a killed process left beside it. */
  async function erase(file: string, id: string): Promise<void> {
    await rm(file, { force: true });
    const unfinished = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${id}.json.`));
    await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
  }

  function queueOf(id: string): TaskQueue {
    const queue = queues.get(id) ?? createTaskQueue();
    queues.set(id, queue);
    return queue;
  }

  return {
    load,
    async list() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
      const find = (name: string) => summaries.find(join(folder, name), name.slice(0, -'.json'.length));
      const found = await Promise.all(names.map((name) => find(name).catch(() => undefined)));
      return found.filter((summary) => summary !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
    },
    save: (conversation) => queueOf(conversation.id)(() => write(conversation)),
    settled: async () => void (await Promise.all([...queues.values()].map((queue) => queue(async () => {})))),
    async remove(id) {
      const file = fileOf(id);
      if (file !== undefined) await queueOf(id)(() => erase(file, id));
    },
  };
}

/** The list's entry of each conversation; a file is read again only when it has changed. */
function createSummaries(load: (id: string) => Promise<Conversation | undefined>) {
  const known = new Map<string, { stamp: string; summary: Summary | undefined }>();
  const stampOf = async (file: string): Promise<string> => {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs} ${size}`;
  };

  return {
    async find(file: string, id: string): Promise<Summary | undefined> {
      const stamp = await stampOf(file);
      let entry = known.get(id);
      if (entry?.stamp !== stamp) {
        entry = { stamp, summary: summaryOf(await load(id)) };
        known.set(id, entry);
      }
      return entry.summary;
    },
    /** Takes the entry of a conversation that was just written, so that its file need not be read for the list. */
    async learn(file: string, conversation: Conversation): Promise<void> {
      known.set(conversation.id, { stamp: await stampOf(file), summary: summaryOf(conversation) });
    },
  };
}

function summaryOf(conversation: Conversation | undefined): Summary | undefined {
  if (conversation === undefined) return undefined;
  const { id, updatedAt, messages } = conversation;
  const questions = messages.filter((message) => message.role === 'user').length;
  return { id, title: titleOf(conversation), updatedAt, questions };
}

import { randomUUID } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/privateFiles.ts';
import { mapConcurrently } from '../../base/taskQueue.ts';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  titleOf,
  type WorkspacePlace,
} from '../conversation.ts';
import { replay } from '../reduce.ts';
import { type ConversationLog, createConversationLog, removedEnding } from './conversationLog.ts';
import { withLostLines } from './lostLines.ts';
import { createMessageIndex, type FoundConversation, type FoundMessages } from './messageIndex.ts';
import { temporaryName, writeNew } from './writeNew.ts';

export interface Summary {
  readonly id: string;
  /** Empty for a conversation without words. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly questions: number;
  readonly isPinned: boolean;
  readonly workspace?: WorkspacePlace | undefined;
  /** Whether nothing of its file can be read. */
  readonly isUnreadable?: boolean;
}

/** The conversations with hits, in the order of the list. */
export interface SearchResult extends Omit<FoundMessages, 'conversations'> {
  readonly conversations: readonly (FoundConversation & { readonly summary: Summary })[];
  /** The conversations that were not searched, because there are too many: the oldest ones. */
  readonly leftOut: number;
}

/** A conversation with its file. */
export interface Kept {
  readonly conversation: Conversation;
  readonly log: ConversationLog;
  /** Lines of the file that are no action of ours; they were skipped. */
  readonly corrupted: number;
}

/** The conversations on the disk, each a file of its own to which its actions are appended. */
export interface History {
  /** The pinned ones first, then newest first. */
  list(): Promise<Summary[]>;
  /** Searches what was listed last, in memory. */
  search(query: string): SearchResult;
  /** Opens a conversation; undefined when there is none, or nothing of it can be read. */
  open(id: string): Promise<Kept | undefined>;
  /** The log of a conversation that is begun. Its file is made with the first action. */
  begin(id: string): ConversationLog;
  /** Whether there is a conversation of that id, or one that can be brought back. */
  has(id: string): boolean;
  /** Writes a conversation that is there as a whole. @param actions its `create` first. @throws the error of the disk */
  add(actions: readonly Action[]): Promise<void>;
  /** Takes a conversation out of the list. It can be brought back for a day. */
  remove(id: string): Promise<void>;
  bringBack(id: string): Promise<void>;
  /** Calls whenever the file of a conversation has changed, also by this window. Gives what ends that. */
  watch(onChange: (id: string) => void): Promise<() => void>;
}

const ending = '.jsonl';
/** Files that are open at once: there may be thousands of conversations, and a process may open fewer files. */
const readAtOnce = 16;
const keepRemovedMs = 24 * 3600 * 1000;

/**
 * @param folder made when the first conversation is written
 * @param onWritten called after each write, with the error of one that failed
 */
export function createHistory(folder: string, onWritten: (id: string, error?: unknown) => void = () => {}): History {
  const known = new Map<string, { stamp: string; summary: Summary }>();
  const index = createMessageIndex();
  let listed: readonly Summary[] = [];
  let isTidy: Promise<void> | undefined;

  const fileOf = (id: string): string => {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error('A conversation has a malformed id.');
    return join(folder, id + ending);
  };
  /** Each log is a writer of its own: one that is opened anew reads what this window wrote before. */
  const begin = (id: string) =>
    createConversationLog(fileOf(id), randomUUID().slice(0, 8), (error) => onWritten(id, error));

  async function load(id: string): Promise<Kept | undefined> {
    const log = begin(id);
    const { actions, corrupted } = await log.readNew();
    // The first line may be the one that cannot be read.
    const first = actions.find((action) => 'at' in action);
    if (first === undefined || (first.type === 'create' && first.id !== id)) return undefined;
    const conversation = replay(emptyConversation(id, first.at), corrupted > 0 ? withLostLines(actions) : actions);
    return { conversation: cutAnswers(conversation), log, corrupted };
  }

  async function summaryOf(name: string): Promise<Summary | undefined> {
    const file = join(folder, name);
    const id = name.slice(0, -ending.length);
    const { mtimeMs, size } = await stat(file);
    // A process that was killed before its first write left it.
    if (size === 0) return undefined;
    const stamp = `${mtimeMs} ${size}`;
    const before = known.get(id);
    if (before?.stamp === stamp) return before.summary;
    let isRead = true;
    const kept = await load(id).catch(() => {
      isRead = false;
      return undefined;
    });
    const conversation = kept?.conversation;
    // One that was given another model, and asked nothing yet, is nothing to list; words that were written for it are.
    if (conversation?.tree.size === 0 && conversation.configured.get('systemPrompt') === undefined) return undefined;
    const summary = summarise(id, conversation, mtimeMs);
    if (conversation !== undefined) index.set(conversation);
    // A file that the system did not open this time may be read the next.
    if (isRead) known.set(id, { stamp, summary });
    return summary;
  }

  /** Deletes what was removed long ago. */
  async function tidy(): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const file = join(folder, name);
      if (name.endsWith(removedEnding)) await removeForGood(file).catch(() => {});
      else if (name.endsWith(ending)) await removeIfEmpty(file).catch(() => {});
      // A killed process left it; one that is not old may be another window's, which is at it now.
      else if (temporaryName.test(name)) await removeForGood(file).catch(() => {});
    }
  }

  function tidied(): Promise<void> {
    isTidy ??= tidy();
    return isTidy;
  }

  async function list(): Promise<Summary[]> {
    await tidied();
    const all = await readdir(folder).catch(() => []);
    const names = all.filter((name) => name.endsWith(ending));
    const found = await mapConcurrently(names, readAtOnce, (name) => summaryOf(name).catch(() => undefined));
    const summaries = found
      .filter((summary) => summary !== undefined)
      .sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt);
    const ids = new Set(summaries.map(({ id }) => id));
    index.keep(ids);
    for (const id of [...known.keys()]) if (!ids.has(id)) known.delete(id);
    listed = summaries;
    return summaries;
  }

  return {
    begin,
    has: (id) => existsSync(fileOf(id)) || existsSync(fileOf(id) + removedEnding),
    async add(actions) {
      const [first] = actions;
      if (first?.type === 'create') await writeNew(fileOf(first.id), 'whole', actions);
    },
    async open(id) {
      await tidied();
      return load(id).catch(() => undefined);
    },
    list,
    search(query) {
      const summaries = new Map(listed.map((summary) => [summary.id, summary]));
      const found = index.search(query, [...summaries.keys()]);
      const conversations = found.conversations.flatMap((each) => {
        const summary = summaries.get(each.id);
        return summary === undefined ? [] : [{ ...each, summary }];
      });
      return { ...found, conversations, leftOut: index.leftOut };
    },
    async remove(id) {
      const file = fileOf(id);
      if (!existsSync(file)) return;
      // The time of the removal, from which the day counts.
      await utimes(file, new Date(), new Date());
      await rename(file, file + removedEnding);
    },
    async bringBack(id) {
      const file = fileOf(id);
      // A window that went on writing has brought it back before.
      if (existsSync(file + removedEnding) && !existsSync(file)) await rename(file + removedEnding, file);
    },
    async watch(onChange) {
      await makeFolder(folder);
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name?.endsWith(ending)) onChange(name.slice(0, -ending.length));
      });
      // A folder that goes away is made again by the next write; windows do not hear of each other until they are reloaded.
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    },
  };
}

function summarise(id: string, conversation: Conversation | undefined, mtimeMs: number): Summary {
  if (conversation === undefined) {
    return { id, title: '', updatedAt: mtimeMs, questions: 0, isPinned: false, isUnreadable: true };
  }
  const { updatedAt, messages, isPinned = false, workspace } = conversation;
  const questions = messages.filter((message) => message.role === 'user').length;
  return { id, title: titleOf(conversation), updatedAt, questions, isPinned, workspace };
}

async function removeIfEmpty(file: string): Promise<void> {
  const { mtimeMs, size } = await stat(file);
  if (size === 0 && Date.now() - mtimeMs > keepRemovedMs) await rm(file, { force: true });
}

async function removeForGood(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs > keepRemovedMs) await rm(file, { force: true });
}

/**
 * Marks answers as cut off that were being written when their window ended. Where another window writes one now, its next words
 * take that back.
 */
function cutAnswers(conversation: Conversation): Conversation {
  const cut = (message: Message): Message =>
    message.role === 'assistant' && message.state === 'streaming'
      ? { ...message, state: 'failed', error: { kind: 'truncated' }, isPresumedCut: true }
      : message;
  const tree = new Map([...conversation.tree].map(([id, message]) => [id, cut(message)]));
  return { ...conversation, tree, messages: conversation.messages.map(cut) };
}

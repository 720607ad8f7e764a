import { randomUUID } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/privateFiles.ts';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  presumedCut,
} from '../conversation/conversation.ts';
import { replay } from '../conversation/reduce.ts';
import { claimQuestion } from './claimQuestion.ts';
import { type ConversationLog, createConversationLog, removedEnding } from './conversationLog.ts';
import { type ConversationSummaries, createConversationSummaries } from './conversationSummaries.ts';
import { withLostLines } from './lostLines.ts';
import { tidyFolder } from './tidyFolder.ts';
import { writeNew } from './writeNew.ts';

/** A conversation with its file. */
export interface Kept {
  readonly conversation: Conversation;
  readonly log: ConversationLog;
  /** Lines of the file that are no action of ours; they were skipped. */
  readonly corrupted: number;
}

/** The conversations on the disk, each a file of its own to which its actions are appended. */
export interface History extends ConversationSummaries {
  /** Opens a conversation; undefined when there is none, or nothing of it can be read. */
  open(id: string): Promise<Kept | undefined>;
  /** The log of a conversation that is begun. Its file is made with the first action. */
  begin(id: string): ConversationLog;
  /** Whether there is a conversation of that id, or one that can be brought back. */
  has(id: string): boolean;
  /** Takes a question that waits; false where another window has taken it. @param question its id, a UUID */
  claim(question: string): boolean;
  /** Writes a conversation that is there as a whole. @param actions its `create` first. @throws the error of the disk */
  add(actions: readonly Action[]): Promise<void>;
  /** Takes a conversation out of the list. It can be brought back for a day. */
  remove(id: string): Promise<void>;
  bringBack(id: string): Promise<void>;
  /** Calls whenever the file of a conversation has changed, also by this window. Gives what ends that. */
  watch(onChange: (id: string) => void): Promise<() => void>;
}

const ending = '.jsonl';

/**
 * @param folder made when the first conversation is written
 * @param onWritten called after each write, with the error of one that failed
 */
export function createHistory(folder: string, onWritten: (id: string, error?: unknown) => void = () => {}): History {
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

  function tidied(): Promise<void> {
    isTidy ??= tidyFolder(folder, ending);
    return isTidy;
  }

  const summaries = createConversationSummaries(folder, ending, async (id) => (await load(id))?.conversation);

  return {
    begin,
    has: (id) => existsSync(fileOf(id)) || existsSync(fileOf(id) + removedEnding),
    claim: (question) => claimQuestion(folder, question),
    async add(actions) {
      const [first] = actions;
      if (first?.type === 'create') await writeNew(fileOf(first.id), 'whole', actions);
    },
    async open(id) {
      await tidied();
      return load(id).catch(() => undefined);
    },
    async list() {
      await tidied();
      return summaries.list();
    },
    search: summaries.search,
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

/**
 * Marks answers as cut off that were being written when their window ended. Where another window writes one now, its next words
 * take that back.
 */
function cutAnswers(conversation: Conversation): Conversation {
  const cut = (message: Message): Message =>
    message.role === 'assistant' && message.state === 'streaming' ? presumedCut(message) : message;
  const tree = new Map([...conversation.tree].map(([id, message]) => [id, cut(message)]));
  return { ...conversation, tree, messages: conversation.messages.map(cut) };
}

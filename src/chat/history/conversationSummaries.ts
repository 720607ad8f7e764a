import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapConcurrently } from '../../base/taskQueue.ts';
import { type Conversation, titleOf, type WorkspacePlace } from '../conversation/conversation.ts';
import { createMessageIndex, type FoundConversation, type FoundMessages } from './messageIndex.ts';

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

/** What the list shows of the conversations of a folder, and the words in them. A file is read again once it has changed. */
export interface ConversationSummaries {
  /** The pinned ones first, then newest first. */
  list(): Promise<Summary[]>;
  /** Searches what was listed last, in memory. */
  search(query: string): SearchResult;
}

/** Files that are open at once: there may be thousands of conversations, and a process may open fewer files. */
const readAtOnce = 16;

/**
 * @param ending of the files of conversations; what stands before it is the id
 * @param read reads a conversation; undefined where nothing of it can be read. It rejects where the file could not be opened
 */
export function createConversationSummaries(
  folder: string,
  ending: string,
  read: (id: string) => Promise<Conversation | undefined>,
): ConversationSummaries {
  const known = new Map<string, { stamp: string; summary: Summary }>();
  const index = createMessageIndex();
  let listed: readonly Summary[] = [];

  async function summaryOf(name: string): Promise<Summary | undefined> {
    const id = name.slice(0, -ending.length);
    const { mtimeMs, size } = await stat(join(folder, name));
    // A process that was killed before its first write left it.
    if (size === 0) return undefined;
    const stamp = `${mtimeMs} ${size}`;
    const before = known.get(id);
    if (before?.stamp === stamp) return before.summary;
    let isRead = true;
    const conversation = await read(id).catch(() => {
      isRead = false;
      return undefined;
    });
    // One that was given another model, and asked nothing yet, is nothing to list; words that were written for it are.
    if (conversation?.tree.size === 0 && conversation.configured.get('systemPrompt') === undefined) return undefined;
    const summary = summarise(id, conversation, mtimeMs);
    if (conversation !== undefined) index.set(conversation);
    // A file that the system did not open this time may be read the next.
    if (isRead) known.set(id, { stamp, summary });
    return summary;
  }

  return {
    async list() {
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
    },
    search(query) {
      const summaries = new Map(listed.map((summary) => [summary.id, summary]));
      const found = index.search(query, [...summaries.keys()]);
      const conversations = found.conversations.flatMap((each) => {
        const summary = summaries.get(each.id);
        return summary === undefined ? [] : [{ ...each, summary }];
      });
      return { ...found, conversations, leftOut: index.leftOut };
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

import type { Conversation, Message } from '../conversation/conversation.ts';
import { reachable } from '../conversation/path.ts';
import { fold, separator, wordsOf } from './searchWords.ts';
import { mayHave, type Trigrams, trigramsOf } from './trigrams.ts';

/** A message in which all words of a query were found. */
export interface MessageHit {
  readonly message: string;
  readonly role: Message['role'];
  /** The line of the first word that was found, or the part of it around that word. */
  readonly line: string;
}

export interface FoundConversation {
  readonly id: string;
  /** Whether all words are in the title that the user gave it. */
  readonly isTitle: boolean;
  /** The first hits; `count` is the number of all. */
  readonly hits: readonly MessageHit[];
  readonly count: number;
}

export interface FoundMessages {
  readonly conversations: readonly FoundConversation[];
  /** Hits in all conversations, a title counted as one, and in how many conversations. */
  readonly hits: number;
  readonly inConversations: number;
}

/** The texts of all conversations in memory: questions with the names of what was attached, and answers, in all versions. */
export interface MessageIndex {
  /** Takes the messages of a conversation, in the place of those it had. */
  set(conversation: Conversation): void;
  /** Forgets all conversations but these. */
  keep(ids: ReadonlySet<string>): void;
  /** @param ids of the conversations to search, in the order in which they are found */
  search(query: string, ids: readonly string[]): FoundMessages;
  /** The conversations whose messages are not in memory, because there are too many. */
  readonly leftOut: number;
}

interface Entry {
  readonly updatedAt: number;
  /** Absent where they are left out. */
  readonly texts?: Texts;
}

interface Texts {
  /** The texts, with separators between: the title first. */
  readonly text: string;
  /** The same as it is searched. */
  readonly folded: string;
  readonly trigrams: Trigrams;
  /** Where each text begins. */
  readonly starts: readonly number[];
  readonly messages: readonly Pick<Message, 'id' | 'role'>[];
}

/** Characters that are kept in memory, twice: more than 10,000 messages have. */
const mostCharacters = 24 * 1024 * 1024;
/** The most hits that are given: in a conversation, and in all. */
const mostOfOne = 50;
const mostHits = 500;
/** Characters of a line: those before the word, where the line is long, and all. */
const leastBefore = 24;
const longestLine = 200;

export function createMessageIndex(limit = mostCharacters): MessageIndex {
  const entries = new Map<string, Entry>();
  let characters = 0;
  let leftOut = 0;

  function forget(id: string): void {
    const before = entries.get(id);
    if (before === undefined) return;
    entries.delete(id);
    characters -= before.texts?.text.length ?? 0;
    if (before.texts === undefined) leftOut--;
  }

  /** Leaves out the conversations that were not touched for longest, a few more than have to be: the next one has room then. */
  function makeRoom(): void {
    if (characters <= limit) return;
    const wanted = limit * 0.9;
    for (const [id, entry] of [...entries].sort(([, one], [, other]) => one.updatedAt - other.updatedAt)) {
      if (entry.texts === undefined) continue;
      forget(id);
      entries.set(id, { updatedAt: entry.updatedAt });
      leftOut++;
      if (characters <= wanted) return;
    }
  }

  return {
    set(conversation) {
      forget(conversation.id);
      const texts = textsOf(conversation);
      entries.set(conversation.id, { updatedAt: conversation.updatedAt, texts });
      characters += texts.text.length;
      makeRoom();
    },
    keep(ids) {
      for (const id of [...entries.keys()]) if (!ids.has(id)) forget(id);
    },
    search(query, ids) {
      const words = wordsOf(query);
      const conversations: FoundConversation[] = [];
      let hits = 0;
      let inConversations = 0;
      for (const id of words.length === 0 ? [] : ids) {
        const texts = entries.get(id)?.texts;
        const found = texts && searchTexts(id, texts, words, Math.min(mostOfOne, mostHits - hits));
        if (found === undefined) continue;
        hits += found.count + Number(found.isTitle);
        inConversations++;
        if (found.isTitle || found.hits.length > 0) conversations.push(found);
      }
      return { conversations, hits, inConversations };
    },
    get leftOut() {
      return leftOut;
    },
  };
}

function textsOf(conversation: Conversation): Texts {
  const messages = reachable(conversation);
  // A title that no user gave is that of the first question, which is found itself.
  const texts = [plainOf(conversation.title ?? ''), ...messages.map(textOf)];
  let length = 0;
  const starts = texts.map((text) => {
    const start = length;
    length += text.length + separator.length;
    return start;
  });
  const text = texts.join(separator);
  const folded = fold(text);
  return {
    text,
    folded,
    trigrams: trigramsOf(folded),
    starts,
    messages: messages.map(({ id, role }) => ({ id, role })),
  };
}

function textOf(message: Message): string {
  if (message.role === 'assistant') return plainOf(message.text);
  const { label = '', text, attachments } = message;
  return plainOf([label, text, ...attachments.map((attachment) => attachment.label)].filter(Boolean).join('\n'));
}

const plainOf = (text: string): string => text.replaceAll(separator, ' ');

/** @param most the most hits that are given; undefined where nothing is found */
function searchTexts(id: string, texts: Texts, words: readonly string[], most: number): FoundConversation | undefined {
  const { text, folded, trigrams, starts, messages } = texts;
  const [first = '', ...others] = words;
  if (!words.every((word) => mayHave(trigrams, word)) || !others.every((word) => folded.includes(word)))
    return undefined;
  const hits: MessageHit[] = [];
  let isTitle = false;
  let count = 0;
  let index = 0;
  for (let at = folded.indexOf(first); at >= 0; ) {
    while ((starts[index + 1] ?? Infinity) <= at) index++;
    const start = starts[index] ?? 0;
    const end = (starts[index + 1] ?? text.length + separator.length) - separator.length;
    const part = others.length === 0 ? '' : folded.slice(start, end);
    if (others.every((word) => part.includes(word))) {
      const message = messages[index - 1];
      if (message === undefined) isTitle = true;
      else if (++count <= most)
        hits.push({ message: message.id, role: message.role, line: lineAt(text, start, end, at) });
    }
    // One hit of a message is enough.
    at = folded.indexOf(first, end + separator.length);
  }
  return count > 0 || isTitle ? { id, isTitle, hits, count } : undefined;
}

/** The line of a text around a place; `start` and `end` are those of the text it is in. */
function lineAt(text: string, start: number, end: number, at: number): string {
  const lineStart = Math.max(start, text.lastIndexOf('\n', at - 1) + 1);
  const lineEnd = text.slice(at, Math.min(end, at + longestLine)).split('\n', 1)[0]?.length ?? 0;
  const line = text.slice(Math.max(lineStart, at - leastBefore), at + lineEnd);
  const isWhole = at - lineStart <= leastBefore;
  // It begins with a whole word, where there is one before the place.
  const begun = isWhole ? line : `…${line.slice(line.slice(0, leastBefore).indexOf(' ') + 1)}`;
  return begun.trim();
}

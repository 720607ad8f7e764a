import type { Growing } from '../../../../webview/shared/applyChange.ts';
import type { Change, Patch } from '../../../../webview/shared/protocol/protocol.ts';

/** Characters of each text of an answer that are shown: three times what the longest models write. */
export const longestShown = 512 * 1024;

/**
 * Sends patches to a page no faster than it draws them. Later ones are joined meanwhile, so that a page that is slow, or asleep
 * behind another window, never has more before it than one picture of the answer; and no page gets more of a text than it
 * shows.
 */
export interface Outbox<M> {
  push(patches: readonly Patch<M>[]): void;
  /** The page has drawn everything up to this number. */
  drawn(seq: number): void;
  /** The page was given the whole conversation as it is at this number. */
  reset(messages: readonly M[], seq: number): void;
}

export function createOutbox<M extends Growing>(send: (patches: readonly Patch<M>[]) => void): Outbox<M> {
  /** Changes that wait, and the numbers of the patches that are joined in them. */
  let waiting: { conversation: string; from: number; to: number; changes: Change<M>[] } | undefined;
  /** The number of the last patch that was sent and is not drawn yet. */
  let onTheWay: number | undefined;
  /** Characters of the texts of each answer, by its index, that came so far: no more than `longestShown` of each are sent. */
  let lengths: Lengths[] = [];

  function flush(): void {
    if (onTheWay !== undefined || waiting === undefined) return;
    const { conversation, from, to, changes } = waiting;
    waiting = undefined;
    onTheWay = to;
    const last = changes.length - 1;
    // Each change has at least one number of its own; the last has all that are left.
    send(changes.map((change, i) => ({ conversation, from: from + i, seq: i === last ? to : from + i, change })));
  }

  function take({ conversation, seq, change }: Patch<M>): void {
    if (waiting?.conversation !== conversation) waiting = { conversation, from: seq, to: seq, changes: [] };
    waiting.to = seq;
    waiting.changes = joined(waiting.changes, shorten(change));
  }

  /** The change with no more text than is shown. */
  function shorten(change: Change<M>): Change<M> {
    if (change.kind === 'describe') return change;
    if (change.kind === 'cut') {
      lengths = lengths.slice(0, change.index);
      return change;
    }
    if (change.kind === 'put') {
      lengths[change.index] = lengthsOf(change.message);
      return { ...change, message: cutMessage(change.message) };
    }
    const before = lengths[change.index] ?? { text: 0, reasoning: 0 };
    const room = Math.max(0, longestShown - before[change.field]);
    lengths[change.index] = { ...before, [change.field]: before[change.field] + change.text.length };
    return change.text.length <= room ? change : { ...change, text: change.text.slice(0, room) };
  }

  return {
    push(patches) {
      for (const patch of patches) take(patch);
      flush();
    },
    drawn(seq) {
      if (onTheWay === undefined || seq < onTheWay) return;
      onTheWay = undefined;
      flush();
    },
    reset(messages, seq) {
      waiting = undefined;
      onTheWay = seq;
      lengths = messages.map(lengthsOf);
    },
  };
}

interface Lengths {
  readonly text: number;
  readonly reasoning: number;
}

function lengthsOf(message: Growing): Lengths {
  if (message.role !== 'assistant') return { text: 0, reasoning: 0 };
  return { text: message.text.length, reasoning: message.reasoning.length };
}

/** A message with no more text than is shown. */
export function cutMessage<M extends Growing>(message: M): M {
  if (message.role === 'user') return message;
  const { text, reasoning } = message;
  if (text.length <= longestShown && reasoning.length <= longestShown) return message;
  return { ...message, text: text.slice(0, longestShown), reasoning: reasoning.slice(0, longestShown) };
}

/** The changes with one more, joined with the change that it adds to, or replaces. What came before a `put` is gone with it. */
function joined<M>(changes: readonly Change<M>[], next: Change<M>): Change<M>[] {
  if (next.kind === 'cut') return [...changes.filter(({ index }) => index < next.index), next];
  if (next.kind === 'put')
    return [...changes.filter(({ kind, index }) => kind === 'cut' || index !== next.index), next];
  const place = changes.findLastIndex((each) => each.index === next.index && isLike(each, next));
  const before = changes[place];
  if (before === undefined) return [...changes, next];
  const both = next.kind === 'append' && before.kind === 'append' ? { ...next, text: before.text + next.text } : next;
  return changes.with(place, both);
}

function isLike<M>(one: Change<M>, other: Change<M>): boolean {
  if (one.kind !== 'append' || other.kind !== 'append') return one.kind === other.kind;
  return one.field === other.field;
}

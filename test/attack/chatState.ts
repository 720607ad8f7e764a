import type { Action, Conversation } from '../../src/chat/conversation/conversation.ts';

/** Numbers that look random and are the same in each run, 0 ≤ x < 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them, or undefined where there is none. */
export function pick<T>(random: () => number, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** What all windows have to agree on, as plain data: the order in which they took things in is not part of it. */
export function stateOf({
  tree,
  chosen,
  deleted,
  configured,
  messages,
  title,
  isPinned = false,
}: Conversation): unknown {
  const state = {
    title,
    isPinned,
    chosen: Object.fromEntries([...chosen].toSorted(byKey)),
    deleted: [...deleted].toSorted(),
    configured: Object.fromEntries([...configured].toSorted(byKey)),
    messages,
    tree: Object.fromEntries([...tree].toSorted(byKey)),
  };
  return JSON.parse(JSON.stringify(state));
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Actions as plain data, in which pieces of text that follow each other are one: a file joins them as its writes happen to fall. */
export function joined(actions: readonly Action[]): unknown {
  const all: Action[] = [];
  for (const action of actions) {
    const last = all.at(-1);
    if (last?.type === 'append' && action.type === 'append' && last.id === action.id && last.field === action.field) {
      all[all.length - 1] = { ...action, text: last.text + action.text };
    } else {
      all.push(action);
    }
  }
  return JSON.parse(JSON.stringify(all));
}

import type { Choice, Conversation, Message } from './conversation.ts';

/**
 * The path through a conversation's tree that is shown: below each message the chosen version, or the newest where none was
 * chosen. A deleted message is passed through, so that what followed it stays.
 */
export function visiblePath(tree: Tree): Message[] {
  const path: Message[] = [];
  walk(tree, (message, kept) => {
    if (kept.length > 1) path.push({ ...message, versions: kept.map(({ id }) => id) });
    else if (kept.length === 1) path.push(message);
  });
  return path;
}

type Tree = Pick<Conversation, 'tree' | 'chosen' | 'deleted'>;

/** Walks the path, through deleted messages, too. @param kept the versions in a message's place that are not deleted */
function walk({ tree, chosen, deleted }: Tree, visit: (message: Message, kept: readonly Message[]) => void): void {
  const children = childrenOf(tree);
  let versions = children.get('');
  for (let at = ''; versions !== undefined; versions = children.get(at)) {
    const kept = versions.filter(({ id }) => !deleted.has(id));
    const message = shownOf(kept.length > 0 ? kept : versions, chosen.get(at));
    if (message === undefined) return;
    visit(message, kept);
    at = message.id;
  }
}

function shownOf(versions: readonly Message[], choice: Choice | undefined): Message | undefined {
  return versions.find(({ id }) => id === choice?.id) ?? versions.at(-1);
}

/** Messages by the one they follow, oldest first; two windows that took them in in another order agree. */
function childrenOf(tree: Conversation['tree']): Map<string, Message[]> {
  const children = new Map<string, Message[]>();
  for (const message of tree.values()) {
    const parent = message.parent ?? '';
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [message]);
    else siblings.push(message);
  }
  for (const siblings of children.values()) {
    if (siblings.length > 1) siblings.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }
  return children;
}

/** Whether two messages of a path look the same: one message, with the same versions beside it. */
export function isSameInPath(one: Message | undefined, other: Message | undefined): boolean {
  if (one === undefined || other === undefined || one.id !== other.id) return one === other;
  return one.versions?.join() === other.versions?.join();
}

/**
 * The messages that lead to one, which is not among them: those that its request is made of. Deleted ones are left out.
 * @param id of a message of the tree
 */
export function pathTo({ tree, deleted }: Pick<Tree, 'tree' | 'deleted'>, id: string): Message[] {
  const path: Message[] = [];
  for (let at = tree.get(id)?.parent; at !== undefined; ) {
    const message = tree.get(at);
    if (message !== undefined && !deleted.has(at)) path.unshift(message);
    at = message?.parent;
  }
  return path;
}

/** The message that the next question follows: the last one of the path, a deleted one, too. Undefined at the beginning. */
export function endOfPath(tree: Tree): string | undefined {
  let last: string | undefined;
  walk(tree, (message) => {
    last = message.id;
  });
  return last;
}

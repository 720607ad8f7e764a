import type { Choice, Conversation, Message } from './conversation.ts';

/**
 * The path through a conversation's tree that is shown: in each place the chosen version, or the newest where none was
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

/**
 * The name of the place in the tree that a message shares with its versions: what follows the same message in the same role. A
 * question can follow a question, where the line of an answer was lost; it is no version of the answers to that one.
 */
export function placeOf({ role, parent = '' }: Pick<Message, 'role' | 'parent'>): string {
  return `${role} ${parent}`;
}

const beginning = placeOf({ role: 'user' });

/** Walks the path, through deleted messages, too. @param kept the versions in a message's place that are not deleted */
function walk({ tree, chosen, deleted }: Tree, visit: (message: Message, kept: readonly Message[]) => void): void {
  const versionsIn = placesOf(tree);
  for (let places: readonly string[] = [beginning]; ; ) {
    const { kept, shown } = versionsAt(places, versionsIn, deleted);
    const message = shownOf(shown, latest(places.map((place) => chosen.get(place))));
    if (message === undefined) return;
    visit(message, kept);
    places = placesAfter(message, versionsIn);
  }
}

type Versions = ReadonlyMap<string, readonly Message[]>;

/** The versions in places that are taken as one: those that are not deleted, and those of which one is passed. */
function versionsAt(places: readonly string[], versionsIn: Versions, deleted: ReadonlySet<string>) {
  const all = places.flatMap((place) => versionsIn.get(place) ?? []);
  if (places.length > 1) all.sort(byAge);
  const kept = all.filter(({ id }) => !deleted.has(id));
  return { kept, shown: kept.length > 0 ? kept : all };
}

/** Where the path goes on: with the answers to a question, and then with what was asked after the answer, or right after the question. */
function placesAfter({ id, role, parent }: Message, versionsIn: Versions): string[] {
  const answers = placeOf({ role: 'assistant', parent: id });
  const questions = placeOf({ role: 'user', parent: id });
  if (role === 'user') return [versionsIn.has(answers) ? answers : questions];
  const afterQuestion = placeOf({ role: 'user', parent });
  return versionsIn.has(afterQuestion) ? [questions, afterQuestion] : [questions];
}

function latest(choices: readonly (Choice | undefined)[]): Choice | undefined {
  return choices.reduce((one, other) => (other !== undefined && other.at > (one?.at ?? -Infinity) ? other : one));
}

function shownOf(versions: readonly Message[], choice: Choice | undefined): Message | undefined {
  return versions.find(({ id }) => id === choice?.id) ?? versions.at(-1);
}

/** Messages by their places, oldest first; two windows that took them in in another order agree. */
function placesOf(tree: Conversation['tree']): Map<string, Message[]> {
  const places = new Map<string, Message[]>();
  for (const message of tree.values()) {
    const place = placeOf(message);
    const versions = places.get(place);
    if (versions === undefined) places.set(place, [message]);
    else versions.push(message);
  }
  for (const versions of places.values()) if (versions.length > 1) versions.sort(byAge);
  return places;
}

function byAge(one: Message, other: Message): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}

/** Whether two messages of a path look the same: one message, with the same versions beside it. */
export function isSameInPath(one: Message | undefined, other: Message | undefined): boolean {
  if (one === undefined || other === undefined || one.id !== other.id) return one === other;
  return one.versions?.join() === other.versions?.join();
}

/** The messages that one choice of versions or another shows: all but the deleted ones, and what followed only those. */
export function reachable(tree: Pick<Tree, 'tree' | 'deleted'>): Message[] {
  return passable(tree).filter(({ id }) => !tree.deleted.has(id));
}

/** The same, with the deleted ones that a path passes through. Each comes after the one that it follows. */
export function passable({ tree, deleted }: Pick<Tree, 'tree' | 'deleted'>): Message[] {
  const versionsIn = placesOf(tree);
  const found = new Set<Message>();
  for (const open = [[beginning]]; open.length > 0; ) {
    const { shown } = versionsAt(open.pop() ?? [], versionsIn, deleted);
    for (const message of shown) {
      if (found.has(message)) continue;
      found.add(message);
      open.push(placesAfter(message, versionsIn));
    }
  }
  return [...tree.values()].filter((message) => found.has(message));
}

/**
 * The messages that lead to one, which is not among them: those that its request is made of. Deleted ones are left out.
 * @param id of a message of the tree
 */
export function pathTo(tree: Pick<Tree, 'tree' | 'deleted'>, id: string): Message[] {
  return ancestorsOf(tree, id).filter((message) => !tree.deleted.has(message.id));
}

/** The messages above one, the first of the conversation first, deleted ones, too. */
export function ancestorsOf({ tree }: Pick<Tree, 'tree'>, id: string): Message[] {
  const path: Message[] = [];
  for (let at = tree.get(id)?.parent; at !== undefined; at = tree.get(at)?.parent) {
    const message = tree.get(at);
    if (message !== undefined) path.push(message);
  }
  return path.reverse();
}

/** The ids of the messages of the path, in order, deleted ones that it passes through among them. */
export function passedMessages(tree: Tree): Set<string> {
  const passed = new Set<string>();
  walk(tree, ({ id }) => passed.add(id));
  return passed;
}

/** The message that the next question follows: the last one of the path, a deleted one, too. Undefined at the beginning. */
export function endOfPath(tree: Tree): string | undefined {
  return [...passedMessages(tree)].at(-1);
}

import { applyChange } from '../../webview/shared/applyChange.ts';
import type { Change } from '../../webview/shared/protocol/protocol.ts';
import { type ConfiguredValue, takeChange } from '../parameters/configuration.ts';
import {
  type Action,
  type Answer,
  type Choice,
  type Conversation,
  type Growth,
  isGrowth,
  type Message,
  presumedCut,
  type Step,
  type TurnSummary,
} from './conversation.ts';
import { isSameInPath, placeOf, visiblePath } from './path.ts';

/** A conversation that an action is put into: its maps are its own. */
type Draft = { -readonly [Key in keyof Conversation]: Conversation[Key] } & {
  tree: Map<string, Message>;
  chosen: Map<string, Choice>;
  deleted: Set<string>;
  deletedAt: Map<string, number>;
  configured: Map<string, ConfiguredValue>;
  summaries: Map<string, TurnSummary>;
};

/**
 * The next state of a conversation: the one place that knows what a conversation consists of. The actions of two windows may be
 * taken in in another order here than there: as long as each window's own keep theirs, both come to the same tree.
 */
export function reduce(conversation: Conversation, action: Action): Step {
  const draft = draftOf(conversation);
  if (!take(draft, action)) return { conversation, patches: [] };
  const changes = isGrowth(action) ? growth(conversation, draft, action) : pathChanges(conversation, draft);
  const patches = changes.map((change, i) => ({
    conversation: conversation.id,
    seq: conversation.seq + 1 + i,
    change,
  }));
  const messages = changes.reduce((shown, change) => applyChange(shown, change) ?? shown, conversation.messages);
  return { conversation: { ...draft, messages, seq: conversation.seq + patches.length }, patches };
}

/** A conversation from all that happened to it. What does not fit is left out. */
export function replay(empty: Conversation, actions: Iterable<Action>): Conversation {
  const draft = draftOf(empty);
  for (const action of actions) take(draft, action);
  return { ...draft, messages: visiblePath(draft) };
}

function draftOf(conversation: Conversation): Draft {
  const { tree, chosen, deleted, deletedAt, configured, summaries } = conversation;
  return {
    ...conversation,
    tree: new Map(tree),
    chosen: new Map(chosen),
    deleted: new Set(deleted),
    deletedAt: new Map(deletedAt),
    configured: new Map(configured),
    summaries: new Map(summaries),
  };
}

/** Puts an action into the draft, but for the path. @returns false when it did not fit */
function take(draft: Draft, action: Action): boolean {
  const isTaken = isGrowth(action) ? grow(draft, action) : rebuild(draft, action);
  if (isTaken && 'at' in action) draft.updatedAt = Math.max(draft.updatedAt, action.at);
  return isTaken;
}

/** What an answer takes in while it is written. */
function grow({ tree }: Draft, action: Growth): boolean {
  const answer = tree.get(action.id);
  if (answer?.role !== 'assistant') return false;
  if (action.type === 'end' && !endsEarlier(answer, action)) return false;
  if (action.type === 'append' && action.text === '') return false;
  if (action.type === 'presumeCut' && answer.state !== 'streaming') return false;
  tree.set(action.id, grown(answer, action));
  return true;
}

/** Whether an end holds: the first one does, or the earlier one of two windows that both ended an answer. */
function endsEarlier({ endedAt, state, timings }: Answer, end: Extract<Growth, { readonly type: 'end' }>): boolean {
  if (endedAt === undefined || end.at !== endedAt) return endedAt === undefined || end.at < endedAt;
  return end.state < state || (end.state === state && end.totalMs < (timings.totalMs ?? 0));
}

function grown(answer: Answer, action: Growth): Answer {
  if (action.type === 'presumeCut') return presumedCut(answer);
  const { isPresumedCut, ...told } = answer;
  // An answer that was presumed to be cut off is still being written by another window.
  const live: Answer = isPresumedCut ? { ...told, state: 'streaming', error: undefined } : told;
  switch (action.type) {
    case 'append':
      return { ...live, [action.field]: live[action.field] + action.text };
    case 'rewrite':
      return { ...live, text: action.text, reasoning: action.reasoning };
    case 'describe':
      return { ...live, ...action.facts, timings: { ...live.timings, ...action.facts.timings } };
    case 'end': {
      const { state, error, totalMs } = action;
      const { waitSeconds: _, isWaitAsked: _asked, error: _before, ...kept } = live;
      const ended: Answer = { ...kept, state, endedAt: action.at, timings: { ...live.timings, totalMs } };
      return error === undefined ? ended : { ...ended, error };
    }
  }
}

/** What changes the tree, or the way through it. */
function rebuild(draft: Draft, action: Exclude<Action, Growth>): boolean {
  const { tree } = draft;
  switch (action.type) {
    case 'create':
      if (action.id !== draft.id) return false;
      draft.createdAt = action.at;
      draft.workspace = action.workspace;
      return true;
    case 'ask': {
      if (tree.has(action.id) || (action.parent !== undefined && !tree.has(action.parent))) return false;
      const { type: _, ...question } = action;
      return plant(draft, { role: 'user', ...question });
    }
    case 'answer': {
      const { id, parent, at } = action;
      if (tree.has(id) || tree.get(parent)?.role !== 'user') return false;
      return plant(draft, {
        role: 'assistant',
        id,
        parent,
        at,
        text: '',
        reasoning: '',
        state: 'streaming',
        timings: {},
      });
    }
    case 'choose': {
      const message = tree.get(action.id);
      return message !== undefined && choose(draft, message, action.at);
    }
    case 'delete':
    case 'restore':
      return action.ids.filter((id) => remove(draft, id, action)).length > 0;
    case 'rename':
      if (!isLater(action.at, draft.renamedAt, action.title > (draft.title ?? ''))) return false;
      draft.title = action.title;
      draft.renamedAt = action.at;
      return true;
    case 'pin':
      if (!isLater(action.at, draft.pinnedAt, action.isPinned)) return false;
      draft.isPinned = action.isPinned;
      draft.pinnedAt = action.at;
      return true;
    case 'configure':
      return takeChange(draft.configured, action, action.at);
    case 'summarise': {
      const { type: _, ...summary } = action;
      const before = draft.summaries.get(summary.upTo);
      if (!isLater(summary.at, before?.at, summary.text > (before?.text ?? ''))) return false;
      draft.summaries.set(summary.upTo, summary);
      return true;
    }
  }
}

/** Whether what is done at a time holds over what was done before; of two things at the same time, the preferred one does. */
function isLater(at: number, before: number | undefined, isPreferred: boolean): boolean {
  return before === undefined || at > before || (at === before && isPreferred);
}

/** Deletes or restores a message. */
function remove({ tree, deleted, deletedAt }: Draft, id: string, { type, at }: { type: string; at: number }): boolean {
  if (!tree.has(id) || !isLater(at, deletedAt.get(id), type === 'delete')) return false;
  if (type === 'restore' && !deletedAt.has(id)) return false;
  deletedAt.set(id, at);
  if (type === 'delete') deleted.add(id);
  else deleted.delete(id);
  return true;
}

/** Puts a message into the tree and shows it. */
function plant(draft: Draft, message: Message): true {
  draft.tree.set(message.id, message);
  choose(draft, message, message.at);
  return true;
}

/** Shows a version; of two choices, the later one holds, whichever is taken in first. */
function choose({ chosen }: Draft, message: Message, at: number): boolean {
  const { id } = message;
  const place = placeOf(message);
  const before = chosen.get(place);
  if (before !== undefined && (before.at > at || (before.at === at && before.id >= id))) return false;
  chosen.set(place, { id, at });
  return true;
}

/** The change of an answer that grew, if it is on the path that is shown. */
function growth({ messages }: Conversation, { tree }: Draft, action: Growth): Change<Message>[] {
  const index = messages.findLastIndex(({ id }) => id === action.id);
  const before = messages[index];
  const answer = tree.get(action.id);
  if (before?.role !== 'assistant' || answer?.role !== 'assistant') return [];
  const message = before.versions === undefined ? answer : { ...answer, versions: before.versions };
  if (action.type === 'rewrite' || (action.type === 'append' && before.isPresumedCut))
    return [{ kind: 'put', index, message }];
  if (action.type === 'append') {
    return [{ kind: 'append', index, field: action.field, text: action.text }];
  }
  const { text: _text, reasoning: _reasoning, ...facts } = message;
  return [{ kind: 'describe', index, facts }];
}

function pathChanges({ messages: before }: Conversation, draft: Draft): Change<Message>[] {
  const after = visiblePath(draft);
  const changes: Change<Message>[] = after.flatMap((message, index) =>
    isSameInPath(before[index], message) ? [] : [{ kind: 'put', index, message }],
  );
  return after.length < before.length ? [{ kind: 'cut', index: after.length }, ...changes] : changes;
}

import type { Clock } from '../../base/clock.ts';
import type { Patch } from '../../webview/shared/protocol/protocol.ts';
import type { ConfigurationChange } from '../parameters/configuration.ts';
import type { Action, Conversation, Message, TurnSummary } from './conversation.ts';
import { ancestorsOf, passedMessages } from './path.ts';
import { reduce } from './reduce.ts';

export interface ConversationStateOptions {
  readonly clock: Clock;
  /** Called with each action of this window that fitted, to be kept. */
  readonly onAction: (action: Action) => void;
  /** Called after each step with the changes of the path that is shown, if there are any. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
  /** Called with each action that fitted, of this window or another, also where nothing of it is on the path that is shown. */
  readonly onTake?: ((action: Action) => void) | undefined;
  /** Called when model, system prompt, parameters or summaries are others, here or in another window. */
  readonly onConfigure: () => void;
}

/** A conversation as it stands now, and each change of it that asks the model nothing. */
export interface ConversationState {
  readonly conversation: Conversation;
  /** Does what an action says, and gives whether it fitted. */
  dispatch(action: Action): boolean;
  /** Takes in an action of another window. */
  takeIn(action: Action): void;
  /** The time of an action: after all that happened, whatever the clock says, since the later choice holds. */
  now(): number;
  /** Shows another version of a message. */
  choose(id: string): void;
  /** Shows a message that is on another path, by the versions that lead to it. */
  reveal(id: string): void;
  /**
   * Deletes an answer, or a question with its answers. Where there are other versions, the one beside it is shown.
   * Gives the ids for `restore`.
   */
  delete(id: string): readonly string[];
  /** Brings back what was deleted, and shows it. */
  restore(ids: readonly string[]): void;
  rename(title: string): void;
  pin(isPinned: boolean): void;
  /** Gives the conversation a model, system prompt or parameters of its own, from the next request on. */
  configure(change: ConfigurationChange): void;
  /** Has a summary sent from now on, where what it is about does not fit. */
  keepSummary(summary: Omit<TurnSummary, 'at'>): void;
}

export function createConversationState(initial: Conversation, options: ConversationStateOptions): ConversationState {
  let conversation = initial;

  function take(action: Action): boolean {
    const step = reduce(conversation, action);
    if (step.conversation === conversation) return false;
    conversation = step.conversation;
    if (step.patches.length > 0) options.onPatches(step.patches);
    options.onTake?.(action);
    if (action.type === 'configure' || action.type === 'summarise') options.onConfigure();
    return true;
  }

  function dispatch(action: Action): boolean {
    const isTaken = take(action);
    if (isTaken) options.onAction(action);
    return isTaken;
  }

  const now = (): number => Math.max(options.clock.now(), conversation.updatedAt + 1);

  function reveal(id: string): void {
    const message = conversation.tree.get(id);
    if (message === undefined) return;
    // Made anew by a choice alone: to find it takes a walk through the whole conversation.
    let passed = passedMessages(conversation);
    const isPassed = ({ id }: Message): boolean => passed.has(id);
    const choose = ({ id }: Message): void => {
      if (dispatch({ type: 'choose', id, at: now() })) passed = passedMessages(conversation);
    };
    for (const each of [...ancestorsOf(conversation, id), message]) {
      if (isPassed(each)) continue;
      choose(each);
      if (isPassed(each) || each.role !== 'user') continue;
      // A deleted question right after a question is passed after those of its answers alone that nothing else follows.
      for (const answer of answersTo(conversation, each.parent)) if (!isPassed(each)) choose(answer);
    }
  }

  return {
    get conversation() {
      return conversation;
    },
    dispatch,
    takeIn: (action) => void take(action),
    now,
    choose: (id) => void dispatch({ type: 'choose', id, at: now() }),
    reveal,
    delete(id) {
      const answers = answersTo(conversation, id).map((message) => message.id);
      const ids = [id, ...answers].filter((each) => !conversation.deleted.has(each));
      const beside = versionBeside(conversation.messages, id);
      if (!dispatch({ type: 'delete', ids, at: now() })) return [];
      if (beside !== undefined) dispatch({ type: 'choose', id: beside, at: now() });
      return ids;
    },
    restore(ids) {
      const [first] = ids;
      if (dispatch({ type: 'restore', ids, at: now() }) && first !== undefined) reveal(first);
    },
    rename: (title) => void dispatch({ type: 'rename', title, at: now() }),
    pin: (isPinned) => void dispatch({ type: 'pin', isPinned, at: now() }),
    configure: (change) => void dispatch({ type: 'configure', ...change, at: now() }),
    keepSummary: (summary) => void dispatch({ type: 'summarise', ...summary, at: now() }),
  };
}

/** All answers to a question, also those that are deleted. */
function answersTo({ tree }: Conversation, question: string | undefined): Message[] {
  return [...tree.values()].filter(({ parent, role }) => parent === question && role === 'assistant');
}

/** The version that is shown when one of the path is deleted: the one after it, else the one before. */
function versionBeside(path: readonly Message[], id: string): string | undefined {
  const { versions = [] } = path.find((message) => message.id === id) ?? {};
  const index = versions.indexOf(id);
  return versions[index + 1] ?? versions[index - 1];
}

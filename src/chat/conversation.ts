import type { ErrorDetails, ErrorKind } from '../base/errors.ts';
import type { Usage } from '../service/chat/completion.ts';
import type { Adjustment } from '../service/compat/fieldMemory.ts';
import { applyChange } from '../webview/shared/applyChange.ts';
import type { AnswerState, Change, Patch } from '../webview/shared/protocol.ts';
import type { Attachment } from './attachment.ts';

export interface Question {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The reason why an answer failed, as data. `unexpected` is a fault of Parley itself. */
export interface AnswerError extends ErrorDetails {
  readonly kind: ErrorKind | 'unexpected';
}

/** Milliseconds since the question was sent, by our own clock. */
export interface Timings {
  readonly firstTokenMs?: number | undefined;
  readonly totalMs?: number | undefined;
}

export interface Answer {
  readonly role: 'assistant';
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  readonly error?: AnswerError | undefined;
  /** The model that answered, as the service names it; until it does, the model that was asked. */
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly timings: Timings;
  readonly finishReason?: string | undefined;
  /** Whether the model declined, in its own channel for it; the text is then its refusal. */
  readonly declined?: boolean | undefined;
  /** Seconds until the retry, while the service asks to wait. */
  readonly waitSeconds?: number | undefined;
  /** Fields that the service refused with this question, and the request went without. */
  readonly adjustments?: readonly Adjustment[] | undefined;
}

export type Message = Question | Answer;

export interface Conversation {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of the last patch. */
  readonly seq: number;
  readonly messages: readonly Message[];
}

export type Action =
  | {
      readonly type: 'ask';
      readonly id: string;
      readonly answerId: string;
      readonly text: string;
      readonly attachments: readonly Attachment[];
      readonly at: number;
    }
  /** Puts a new, empty answer in the place of the last one. */
  | { readonly type: 'retry'; readonly answerId: string; readonly at: number }
  | { readonly type: 'append'; readonly field: 'text' | 'reasoning'; readonly text: string }
  /** Sets facts about the answer that streams. */
  | {
      readonly type: 'describe';
      readonly facts: Partial<
        Pick<Answer, 'model' | 'usage' | 'timings' | 'finishReason' | 'declined' | 'waitSeconds' | 'adjustments'>
      >;
    }
  | {
      readonly type: 'end';
      readonly state: Exclude<AnswerState, 'streaming'>;
      readonly error?: AnswerError | undefined;
      readonly totalMs: number;
      readonly at: number;
    };

/** Takes an action to the conversation at hand; false when it did not fit the state. */
export type Dispatch = (action: Action) => boolean;

export interface Step {
  readonly conversation: Conversation;
  /** The changes, numbered on from the conversation's `seq`. Empty when the action did not fit the state. */
  readonly patches: readonly Patch<Message>[];
}

export function emptyConversation(id: string, at: number): Conversation {
  return { id, createdAt: at, updatedAt: at, seq: 0, messages: [] };
}

/** The next state of a conversation: the one place that knows what a conversation consists of. */
export function reduce(conversation: Conversation, action: Action): Step {
  const changes = changesFor(conversation, action);
  const at = 'at' in action && changes.length > 0 ? action.at : conversation.updatedAt;
  const patches = changes.map((change, i) => ({
    conversation: conversation.id,
    seq: conversation.seq + 1 + i,
    change,
  }));
  return {
    conversation: {
      ...conversation,
      updatedAt: at,
      seq: conversation.seq + patches.length,
      messages: changes.reduce(changed, conversation.messages),
    },
    patches,
  };
}

/** A change that is made here always fits: it was made for these messages. */
function changed(messages: readonly Message[], next: Change<Message>): readonly Message[] {
  return applyChange(messages, next) ?? messages;
}

function changesFor({ messages }: Conversation, action: Action): Change<Message>[] {
  const index = messages.length - 1;
  const last = messages[index];
  const streaming = last?.role === 'assistant' && last.state === 'streaming';
  if (action.type === 'ask') {
    if (streaming) return [];
    const { id, text, attachments, answerId } = action;
    return [
      { kind: 'put', index: index + 1, message: { role: 'user', id, text, attachments } },
      { kind: 'put', index: index + 2, message: emptyAnswer(answerId) },
    ];
  }
  if (last?.role !== 'assistant') return [];
  if (action.type === 'retry') {
    return streaming ? [] : [{ kind: 'put', index, message: emptyAnswer(action.answerId) }];
  }
  if (!streaming) return [];
  switch (action.type) {
    case 'append':
      return action.text === '' ? [] : [{ kind: 'append', index, field: action.field, text: action.text }];
    case 'describe':
      return [describe(index, { ...last, ...action.facts, timings: { ...last.timings, ...action.facts.timings } })];
    case 'end': {
      const { state, error, totalMs } = action;
      const { waitSeconds: _, ...kept } = last;
      const message = { ...kept, state, timings: { ...last.timings, totalMs } };
      return [describe(index, error === undefined ? message : { ...message, error })];
    }
  }
}

function describe(index: number, { text: _text, reasoning: _reasoning, ...facts }: Answer): Change<Message> {
  return { kind: 'describe', index, facts };
}

function emptyAnswer(id: string): Answer {
  return { role: 'assistant', id, text: '', reasoning: '', state: 'streaming', timings: {} };
}

/** A name for a conversation: the first line of its first question, else what was attached. Empty when there is none. */
export function titleOf({ messages }: Pick<Conversation, 'messages'>): string {
  const first = messages.find((message) => message.role === 'user');
  if (first === undefined) return '';
  const line = first.text.trim().split('\n')[0]?.trim() || (first.attachments[0]?.label ?? '');
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

/** The answer that is being written, if any. */
export function streamingAnswer({ messages }: Conversation): Answer | undefined {
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.state === 'streaming' ? last : undefined;
}

import type { Usage } from '../service/completion.ts';
import type { ErrorDetails, ErrorKind } from '../service/errors.ts';
import type { Adjustment } from '../service/fieldMemory.ts';
import type { AnswerState, Change, Patch } from '../webview/protocol.ts';
import type { Attachment } from './context.ts';

export interface Question {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Why an answer failed, as data. `unexpected` is a fault of Parley itself. */
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
  /** The model that answered, by the service's word; the one that was asked until it says. */
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly timings: Timings;
  readonly finishReason?: string | undefined;
  /** Seconds until the next try, while the service asks to wait. */
  readonly waitSeconds?: number | undefined;
  /** What the service was found to refuse with this question, and the request went without. */
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
        Pick<Answer, 'model' | 'usage' | 'timings' | 'finishReason' | 'waitSeconds' | 'adjustments'>
      >;
    }
  | {
      readonly type: 'end';
      readonly state: Exclude<AnswerState, 'streaming'>;
      readonly error?: AnswerError | undefined;
      readonly totalMs: number;
      readonly at: number;
    };

export interface Step {
  readonly conversation: Conversation;
  /** What changed, numbered on from the conversation's `seq`. Empty when the action did not fit the state. */
  readonly patches: readonly Patch<Message>[];
}

export function emptyConversation(id: string, at: number): Conversation {
  return { id, createdAt: at, updatedAt: at, seq: 0, messages: [] };
}

/** The next state of a conversation: the one place that knows what a conversation is. */
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
      messages: changes.reduce(applyChange, conversation.messages),
    },
    patches,
  };
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
      return [
        {
          kind: 'put',
          index,
          message: { ...last, ...action.facts, timings: { ...last.timings, ...action.facts.timings } },
        },
      ];
    case 'end': {
      const { state, error, totalMs } = action;
      const { waitSeconds: _, ...kept } = last;
      const message = { ...kept, state, timings: { ...last.timings, totalMs } };
      return [{ kind: 'put', index, message: error === undefined ? message : { ...message, error } }];
    }
  }
}

function emptyAnswer(id: string): Answer {
  return { role: 'assistant', id, text: '', reasoning: '', state: 'streaming', timings: {} };
}

function applyChange(messages: readonly Message[], change: Change<Message>): readonly Message[] {
  const next = [...messages];
  if (change.kind === 'put') {
    next[change.index] = change.message;
    return next;
  }
  const message = next[change.index];
  if (message?.role === 'assistant') {
    next[change.index] = { ...message, [change.field]: message[change.field] + change.text };
  }
  return next;
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

import type { ErrorDetails, ErrorKind } from '../../base/errors.ts';
import type { Usage } from '../../service/chat/completion.ts';
import type { Adjustment } from '../../service/compat/fieldMemory.ts';
import type { AnswerState } from '../../webview/shared/protocol/messageProtocol.ts';
import type { Patch } from '../../webview/shared/protocol/protocol.ts';
import type { ConfigurationChange, Configured } from '../parameters/configuration.ts';
import type { RequestOverride } from '../parameters/requestOverride.ts';
import type { Attachment } from './attachment.ts';
import type { AskedWith, LimitLeft, ReplayResult } from './requestRecord.ts';

/** What questions and answers have in common: their place in the tree. */
interface Placed {
  readonly id: string;
  /** The message that this one follows; absent for a first question. */
  readonly parent?: string | undefined;
  /** Milliseconds since the epoch, when it was begun. */
  readonly at: number;
  /** On the path that is shown: the ids of all versions in this place, this one among them, where there are several. */
  readonly versions?: readonly string[] | undefined;
}

export interface Question extends Placed {
  readonly role: 'user';
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** A short name for a question that Parley worded, such as `Explain`. */
  readonly label?: string | undefined;
}

/** The reason why an answer failed, as data. `unexpected` is a fault of Parley itself. */
export interface AnswerError extends ErrorDetails {
  readonly kind: ErrorKind | 'unexpected';
}

/** A call of a tool that a model asks for. Nothing is run. */
export interface AskedCall {
  readonly name: string;
  /** JSON text as the model wrote it; it need not be valid. */
  readonly arguments: string;
}

/** Milliseconds since the question was sent, by our own clock. */
export interface Timings {
  readonly firstTokenMs?: number | undefined;
  readonly totalMs?: number | undefined;
}

/** Where an answer goes on from a beginning that was given. */
export interface ForkPoint {
  /** The length of the beginning, with the other token at its end, in UTF-16 units. */
  readonly at: number;
  /** Whether the service wrote an answer of its own in the place of going on: then the beginning is not in it. */
  readonly isAnew?: boolean | undefined;
}

export interface Answer extends Placed {
  readonly role: 'assistant';
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  readonly error?: AnswerError | undefined;
  /** The model that answered, as the service names it; until it does, the model that was asked. */
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly timings: Timings;
  /** When it ended, by the clock of the window that ended it. Where two windows did, the earlier time counts. */
  readonly endedAt?: number | undefined;
  readonly finishReason?: string | undefined;
  /** Whether the model declined, in its own channel for it; the text is then its refusal. */
  readonly declined?: boolean | undefined;
  /** Seconds until the retry, and whether the service asked for the wait. */
  readonly waitSeconds?: number | undefined;
  readonly isWaitAsked?: true | undefined;
  /** Fields that the service refused with this question, and the request went without. */
  readonly adjustments?: readonly Adjustment[] | undefined;
  readonly calls?: readonly AskedCall[] | undefined;
  /** Whether the service told how sure the model was. What it told is in the memory of the window that asked. */
  readonly hasLogprobs?: boolean | undefined;
  /** The service's own mark of the model and how it is run. */
  readonly systemFingerprint?: string | undefined;
  readonly askedWith?: AskedWith | undefined;
  readonly replay?: ReplayResult | undefined;
  readonly limits?: { readonly requests?: LimitLeft | undefined; readonly tokens?: LimitLeft | undefined } | undefined;
  /** After what the request was sent again: the status of the refusal, or 0 where there was no connection. */
  readonly retriedAfter?: readonly number[] | undefined;
  /** What it was asked with, where that was not what the conversation had: it was compared with others. */
  readonly asked?: RequestOverride | undefined;
  /** How many of the answers that were asked for with it the service did not give; 0 once the user had them asked for. */
  readonly missing?: number | undefined;
  /** Where it goes on with another token than the model took in the version that it is made of. */
  readonly fork?: ForkPoint | undefined;
  /** Whether its end is only presumed: whoever wrote it has not been heard of for long. What comes after all is taken in. */
  readonly isPresumedCut?: boolean | undefined;
}

export type Message = Question | Answer;

/** What older turns came to, in the model's words. It is sent in their place where they do not fit; they stay as they are. */
export interface TurnSummary {
  /** The last message that it is about. */
  readonly upTo: string;
  readonly text: string;
  readonly at: number;
}

/** The folder or workspace that a conversation belongs to. */
export interface WorkspacePlace {
  readonly uri: string;
  readonly name: string;
}

/**
 * A conversation: a tree of messages, and the path through it that is shown. A question has its answers below it, each a version;
 * an answer has the questions below it that followed, each a version, too. Nothing is taken out of the tree.
 */
export interface Conversation {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of the last patch. */
  readonly seq: number;
  readonly workspace?: WorkspacePlace | undefined;
  /** The name that the user gave it. */
  readonly title?: string | undefined;
  readonly isPinned?: boolean | undefined;
  /** All messages by their ids, also those that are deleted. */
  readonly tree: ReadonlyMap<string, Message>;
  /** The version that is shown in each place (`placeOf`), with the time of the choice. */
  readonly chosen: ReadonlyMap<string, Choice>;
  /** Ids of messages that are neither shown nor sent; what followed them stays. */
  readonly deleted: ReadonlySet<string>;
  /** The times of the last deletion or restoration of messages: the later one holds. */
  readonly deletedAt: ReadonlyMap<string, number>;
  readonly renamedAt?: number | undefined;
  readonly pinnedAt?: number | undefined;
  /** What it has in the place of the settings. */
  readonly configured: Configured;
  /** Summaries by the last message that each is about. */
  readonly summaries: ReadonlyMap<string, TurnSummary>;
  /** The path that is shown and sent, from the first question on. */
  readonly messages: readonly Message[];
}

export interface Choice {
  readonly id: string;
  readonly at: number;
}

/** Facts about an answer that can be told while it streams. */
export type ToldFacts = Partial<
  Pick<
    Answer,
    | 'model'
    | 'usage'
    | 'timings'
    | 'finishReason'
    | 'declined'
    | 'waitSeconds'
    | 'isWaitAsked'
    | 'adjustments'
    | 'calls'
    | 'systemFingerprint'
    | 'hasLogprobs'
    | 'askedWith'
    | 'limits'
    | 'replay'
    | 'retriedAfter'
    | 'asked'
    | 'missing'
    | 'fork'
  >
>;

/** One thing that happens to a conversation. A conversation's file is a list of these. */
export type Action =
  | {
      readonly type: 'create';
      readonly id: string;
      readonly workspace?: WorkspacePlace | undefined;
      readonly at: number;
    }
  /** A question; with a `parent` that has others below it, it is one more version. */
  | {
      readonly type: 'ask';
      readonly id: string;
      readonly parent?: string | undefined;
      readonly text: string;
      readonly attachments: readonly Attachment[];
      readonly label?: string | undefined;
      readonly at: number;
    }
  /** A new, empty answer to a question; with others to it, one more version. */
  | { readonly type: 'answer'; readonly id: string; readonly parent: string; readonly at: number }
  | { readonly type: 'append'; readonly id: string; readonly field: 'text' | 'reasoning'; readonly text: string }
  /** All that an answer says so far, in place of what was appended. */
  | { readonly type: 'rewrite'; readonly id: string; readonly text: string; readonly reasoning: string }
  | { readonly type: 'describe'; readonly id: string; readonly facts: ToldFacts }
  | {
      readonly type: 'end';
      readonly id: string;
      readonly state: Exclude<AnswerState, 'streaming'>;
      readonly error?: AnswerError | undefined;
      readonly totalMs: number;
      readonly at: number;
    }
  /** Its window seems to have ended while it was written. Each window presumes so for itself: it is never kept, and its next words take it back. */
  | { readonly type: 'presumeCut'; readonly id: string }
  /** Shows this version. */
  | { readonly type: 'choose'; readonly id: string; readonly at: number }
  | { readonly type: 'delete'; readonly ids: readonly string[]; readonly at: number }
  | { readonly type: 'restore'; readonly ids: readonly string[]; readonly at: number }
  | { readonly type: 'rename'; readonly title: string; readonly at: number }
  | { readonly type: 'pin'; readonly isPinned: boolean; readonly at: number }
  /** Model, system prompt or parameters in the place of the settings. */
  | ({ readonly type: 'configure'; readonly at: number } & ConfigurationChange)
  | ({ readonly type: 'summarise' } & TurnSummary);

/** Takes an action to the conversation at hand; false when it did not fit the state. */
export type Dispatch = (action: Action) => boolean;

/** The error of an answer whose window ended before it did. */
export const cutWithWindow: AnswerError = { kind: 'truncated', param: 'window' };

/** An answer that was being written, when nobody writes it any more. */
export const presumedCut = (answer: Answer): Answer => ({
  ...answer,
  state: 'failed',
  error: cutWithWindow,
  isPresumedCut: true,
});

/** What an answer takes in while it is written. */
export type Growth = Extract<Action, { readonly type: 'append' | 'rewrite' | 'describe' | 'end' | 'presumeCut' }>;

/** Whether an action is what an answer takes in while it is written. */
export function isGrowth(action: Action): action is Growth {
  return ['append', 'rewrite', 'describe', 'end', 'presumeCut'].includes(action.type);
}

/** Takes an action to the answer that is being written. */
export type DispatchGrowth = (growth: WithoutId<Growth>) => boolean;
type WithoutId<A> = A extends unknown ? Omit<A, 'id'> : never;

export interface Step {
  /** The same object as before when the action did not fit the state. */
  readonly conversation: Conversation;
  /** The changes of the path that is shown, numbered on from the conversation's `seq`; none for what is not on it. */
  readonly patches: readonly Patch<Message>[];
}

export function emptyConversation(id: string, at: number, workspace?: WorkspacePlace): Conversation {
  return {
    id,
    createdAt: at,
    updatedAt: at,
    seq: 0,
    workspace,
    tree: new Map(),
    chosen: new Map(),
    deleted: new Set(),
    deletedAt: new Map(),
    configured: new Map(),
    summaries: new Map(),
    messages: [],
  };
}

const longestTitle = 60;

/** A name for a conversation: the user's, else of its first question. Empty when there is none. */
export function titleOf({ title, messages }: Pick<Conversation, 'messages' | 'title'>): string {
  const first = messages.find((message) => message.role === 'user');
  const line = title || (first === undefined ? '' : questionTitle(first));
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1).trimEnd()}…` : line;
}

/** `Explain berths.ts:31-34` for a question that Parley worded, else the first line, else what was attached. */
function questionTitle({ label, text, attachments }: Question): string {
  const attached = attachments[0]?.label ?? '';
  if (label !== undefined) return `${label} ${attached}`.trim();
  return text.trim().split('\n')[0]?.trim() || attached;
}

/** The answers at the end of the path that are being written: the one that is shown, and its other versions. */
export function streamingAnswers({ messages, tree }: Pick<Conversation, 'messages' | 'tree'>): Answer[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [];
  const { versions = [last.id] } = last;
  return versions
    .map((id) => tree.get(id))
    .filter((each): each is Answer => each?.role === 'assistant' && each.state === 'streaming');
}

export function answerOf({ tree }: Pick<Conversation, 'tree'>, id: string): Answer | undefined {
  const message = tree.get(id);
  return message?.role === 'assistant' ? message : undefined;
}

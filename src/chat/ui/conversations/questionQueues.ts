import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter, type Memento } from 'vscode';
import * as z from 'zod/mini';
import type { AskOptions } from '../../answering/asking.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { Answer } from '../../conversation/conversation.ts';
import { attachmentSchema } from '../../history/actionSchema.ts';
import type { History } from '../../history/history.ts';

/** A question that is asked when the answer before it has ended. */
export interface Queued {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly options?: AskOptions | undefined;
}

/** The questions that wait in this window, by the ids of their conversations. They survive a reload. */
export interface QuestionQueues extends Disposable {
  /** The questions of a conversation that are not asked yet. */
  queueOf(conversation: string): readonly Queued[];
  /** Resolves with the answer that `settle` is told; undefined where the question is taken back, or another window asks it. */
  addQuestion(conversation: string, question: Omit<Queued, 'id'>): Promise<Answer | undefined>;
  /** Tells whoever waits for a question that was taken what the answer is, and gives it. */
  settle(question: string, answer: Promise<Answer | undefined> | undefined): Promise<Answer | undefined> | undefined;
  /** Takes the question that is next: of windows that have the same ones, each goes to one. */
  takeNext(conversation: string): Queued | undefined;
  /** Forgets a question that another window has asked. */
  drop(conversation: string, question: string): void;
  /** Takes back a question that is not asked yet, in no window. */
  takeBack(conversation: string, question: string): Queued | undefined;
  /** Fires with the id of the conversation. */
  readonly onDidChange: Event<string>;
}

/** @param state which all windows on the same folder begin with */
export function createQuestionQueues(state: Memento, { has, claim }: Pick<History, 'has' | 'claim'>): QuestionQueues {
  const changed = new EventEmitter<string>();
  /** By ids: the queue of a conversation that is deleted comes back with it. */
  const queues = new Map(keptQueues(state).filter(([id]) => has(id)));

  /** Those who wait for answers, by questions. */
  const askers = new Map<string, (answer: Promise<Answer | undefined> | undefined) => void>();

  const queueOf = (conversation: string): readonly Queued[] => queues.get(conversation) ?? [];

  function setQueue(conversation: string, queue: readonly Queued[]): void {
    if (queue.length > 0) queues.set(conversation, queue);
    else queues.delete(conversation);
    void state.update(queuesKey, [...queues]);
    changed.fire(conversation);
  }

  /** Takes a question out of a queue; undefined where there is none such. */
  function take(conversation: string, question: string | undefined): Queued | undefined {
    const waiting = queueOf(conversation);
    const taken = waiting.find(({ id }) => id === question);
    const rest = waiting.filter((each) => each !== taken);
    if (taken !== undefined) setQueue(conversation, rest);
    return taken;
  }

  const settle: QuestionQueues['settle'] = (question, answer) => {
    askers.get(question)?.(answer);
    askers.delete(question);
    return answer;
  };

  return {
    queueOf,
    addQuestion(conversation, question) {
      const id = randomUUID();
      setQueue(conversation, [...queueOf(conversation), { id, ...question }]);
      return new Promise((resolve) => void askers.set(id, resolve));
    },
    takeNext(conversation) {
      for (;;) {
        const next = take(conversation, queueOf(conversation)[0]?.id);
        if (next === undefined || claim(next.id)) return next;
        settle(next.id, undefined);
      }
    },
    settle,
    drop(conversation, question) {
      // One that this window took is asked by itself, and has an answer to wait for.
      if (take(conversation, question) !== undefined) settle(question, undefined);
    },
    takeBack(conversation, question) {
      settle(question, undefined);
      const taken = take(conversation, question);
      return taken !== undefined && claim(taken.id) ? taken : undefined;
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

const queuesKey = 'chat.queues';
const queuesSchema = z.array(
  z.tuple([
    z.string(),
    z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        attachments: z.array(attachmentSchema),
        options: z.optional(z.object({ label: z.optional(z.string()), isWhole: z.optional(z.boolean()) })),
      }),
    ),
  ]),
);

/** The queues that this window had when it was closed or reloaded. They go on with the next answer of their conversation. */
function keptQueues(state: Memento): [string, readonly Queued[]][] {
  const kept = queuesSchema.safeParse(state.get(queuesKey));
  return kept.success ? (kept.data as [string, Queued[]][]) : [];
}

import type { ChatClient } from '../service/chat.ts';
import type { ChatEvent } from '../service/completion.ts';
import type { Endpoint } from '../service/endpoint.ts';
import { isCancelled, ServiceError } from '../service/errors.ts';
import type { Adjustment } from '../service/fieldMemory.ts';
import type { Clock } from '../service/retry.ts';
import type { Patch } from '../webview/protocol.ts';
import type { Attachment } from './context.ts';
import {
  type Action,
  type Answer,
  type AnswerError,
  type Conversation,
  type Message,
  reduce,
  streamingAnswer,
} from './conversation.ts';
import { requestMessages } from './request.ts';

export interface SessionOptions {
  readonly client: ChatClient;
  /** Throws a ServiceError when something a request needs is missing. */
  readonly endpoint: () => Promise<Endpoint>;
  readonly settings: () => {
    readonly stream: boolean;
    readonly systemPrompt: string;
    /** Fields that are added to every request. */
    readonly extra: Readonly<Record<string, unknown>>;
  };
  readonly clock: Clock;
  readonly newId: () => string;
  /** Called after each step with what changed. */
  readonly onPatches: (patches: readonly Patch<Message>[]) => void;
  /** A fault that is no ServiceError; for the log. */
  readonly onFault: (error: unknown) => void;
}

/** A conversation that is being held: it asks the service and takes in what comes. */
export interface Session {
  readonly conversation: Conversation;
  readonly busy: boolean;
  /** Asks, and resolves with the answer once it has ended, in whatever state. A running answer is stopped first. */
  ask(text: string, attachments: readonly Attachment[]): Promise<Answer | undefined>;
  /** Asks the last question again; the new answer replaces the last one. */
  retry(): Promise<Answer | undefined>;
  /** Closes the socket of a running answer; its text stays. Resolves when that is done. */
  stop(): Promise<void>;
  /** Goes over to another conversation. A running answer is stopped first. */
  open(conversation: Conversation): Promise<void>;
}

/** Pieces of text are gathered this long before they are passed on: smooth to the eye, cheap to send. */
const gatherMs = 40;

export function createSession(initial: Conversation, options: SessionOptions): Session {
  const { clock, newId } = options;
  let conversation = initial;
  let running: { controller: AbortController; done: Promise<void> } | undefined;

  function dispatch(action: Action): boolean {
    const step = reduce(conversation, action);
    conversation = step.conversation;
    if (step.patches.length > 0) options.onPatches(step.patches);
    return step.patches.length > 0;
  }

  /** Callers look again afterwards: another one may have begun in the meantime. */
  async function stop(): Promise<void> {
    running?.controller.abort();
    await running?.done;
  }

  async function run(): Promise<Answer | undefined> {
    const controller = new AbortController();
    const { id } = conversation;
    const done = answer(controller.signal);
    const mine = { controller, done };
    running = mine;
    await done;
    if (running === mine) running = undefined;
    const last = conversation.messages.at(-1);
    return conversation.id === id && last?.role === 'assistant' ? last : undefined;
  }

  async function answer(signal: AbortSignal): Promise<void> {
    const started = clock.now();
    const intake = createIntake(dispatch, clock, started);
    let end: Pick<Extract<Action, { type: 'end' }>, 'state' | 'error'>;
    try {
      const endpoint = await options.endpoint();
      dispatch({ type: 'describe', facts: { model: endpoint.model } });
      const { stream, systemPrompt, extra } = options.settings();
      const messages = requestMessages(conversation, systemPrompt);
      const onWait = (waitMs: number): void => void countDown(waitMs, dispatch, clock, signal);
      const request = { messages, stream, extra, onWait };
      for await (const event of options.client.chat(endpoint, request, signal)) intake.take(event);
      end = { state: 'complete' };
    } catch (error) {
      end = isCancelled(error) ? { state: 'stopped' } : { state: 'failed', error: errorData(error) };
      if (end.error?.kind === 'unexpected') options.onFault(error);
    }
    intake.flush();
    if (end.state === 'complete' && streamingAnswer(conversation)?.finishReason === 'content_filter') {
      end = { state: 'failed', error: { kind: 'content-filter' } };
    }
    const at = clock.now();
    dispatch({ type: 'end', ...end, totalMs: at - started, at });
  }

  return {
    get conversation() {
      return conversation;
    },
    get busy() {
      return streamingAnswer(conversation) !== undefined;
    },
    stop,
    async ask(text, attachments) {
      while (running !== undefined) await stop();
      dispatch({ type: 'ask', id: newId(), answerId: newId(), text, attachments, at: clock.now() });
      return run();
    },
    async retry() {
      while (running !== undefined) await stop();
      return dispatch({ type: 'retry', answerId: newId(), at: clock.now() }) ? run() : undefined;
    },
    async open(next) {
      while (running !== undefined) await stop();
      conversation = next;
    },
  };
}

function errorData(error: unknown): AnswerError {
  return error instanceof ServiceError ? error.toJSON() : { kind: 'unexpected' };
}

/**
 * Shows the seconds left of a wait the service asked for. A blink of an eye is not worth a word; a second is, and some
 * of it has passed before anybody is told.
 */
async function countDown(
  waitMs: number,
  dispatch: (action: Action) => boolean,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (waitMs < 500) return;
  for (let left = Math.ceil(waitMs / 1000); left > 0 && !signal.aborted; left--) {
    dispatch({ type: 'describe', facts: { waitSeconds: left } });
    await clock.sleep(Math.min(1000, waitMs - (Math.ceil(waitMs / 1000) - left) * 1000), signal);
  }
  if (!signal.aborted) dispatch({ type: 'describe', facts: { waitSeconds: undefined } });
}

/** Takes in the events of one answer. Text is gathered for a moment, in the order it came. */
function createIntake(dispatch: (action: Action) => boolean, clock: Clock, started: number) {
  const gathered = { reasoning: '', text: '' };
  let waiting = false;
  let firstTokenMs: number | undefined;
  let model: string | undefined;
  const adjustments: Adjustment[] = [];

  function flush(): void {
    for (const field of ['reasoning', 'text'] as const) {
      dispatch({ type: 'append', field, text: gathered[field] });
      gathered[field] = '';
    }
  }

  function gather(field: 'reasoning' | 'text', text: string): void {
    if (firstTokenMs === undefined) {
      firstTokenMs = clock.now() - started;
      dispatch({ type: 'describe', facts: { timings: { firstTokenMs } } });
    }
    gathered[field] += text;
    if (waiting) return;
    waiting = true;
    void clock.sleep(gatherMs, new AbortController().signal).then(() => {
      waiting = false;
      flush();
    });
  }

  return {
    flush,
    /** Only the first choice is shown. */
    take(event: ChatEvent): void {
      if ('choice' in event && event.choice !== 0) return;
      switch (event.type) {
        case 'text':
        case 'reasoning':
          gather(event.type, event.text);
          break;
        case 'finish':
          dispatch({ type: 'describe', facts: { finishReason: event.reason } });
          break;
        case 'usage':
          dispatch({ type: 'describe', facts: { usage: event.usage } });
          break;
        case 'adjusted':
          // What an earlier question has found out was said there.
          if (event.remembered) break;
          adjustments.push({
            field: event.field,
            ...(event.renamedTo === undefined ? {} : { renamedTo: event.renamedTo }),
          });
          dispatch({ type: 'describe', facts: { adjustments: [...adjustments] } });
          break;
        case 'model':
          // Every piece of a stream names the model.
          if (event.model !== model) dispatch({ type: 'describe', facts: { model: event.model } });
          model = event.model;
      }
    },
  };
}

import type { Clock } from '../base/clock.ts';
import { isCancelled, ServiceError } from '../base/errors.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Endpoint } from '../service/endpoint.ts';
import { requestMessages } from './context/requestMessages.ts';
import { continuationMessages } from './continuation.ts';
import {
  type AnswerError,
  answerOf,
  type Conversation,
  type Dispatch,
  type DispatchGrowth,
  type Growth,
} from './conversation.ts';
import { createCountdown } from './countdown.ts';
import { createIntake } from './intake.ts';
import { pathTo } from './path.ts';

export interface AnswerOptions {
  readonly client: Pick<ServiceClient, 'chat'>;
  /** Throws a ServiceError when something a request needs is missing. */
  readonly endpoint: () => Promise<Endpoint>;
  readonly settings: () => {
    readonly stream: boolean;
    readonly systemPrompt: string;
    /** Fields that are added to every request. */
    readonly extra: Readonly<Record<string, unknown>>;
  };
  readonly clock: Clock;
  /** A fault that is not a ServiceError; for the log. */
  readonly onFault: (error: unknown) => void;
}

interface Asked extends AnswerOptions {
  /** The answer to be written, which is in the conversation. It is empty, or has the text that it goes on from. */
  readonly id: string;
  readonly conversation: () => Conversation;
  readonly dispatch: Dispatch;
}

/** Asks the service, and dispatches events until the answer has ended, in whatever state. Does not reject. */
export async function answer(asked: Asked, signal: AbortSignal): Promise<void> {
  const { clock, conversation, id } = asked;
  const dispatch: DispatchGrowth = (growth) => asked.dispatch({ ...growth, id });
  const started = clock.now();
  const before = answerOf(conversation(), id)?.text ?? '';
  const intake = createIntake(dispatch, clock, started, before);
  const countdown = createCountdown(dispatch, clock);
  let end: Pick<Extract<Growth, { readonly type: 'end' }>, 'state' | 'error'>;
  try {
    const endpoint = await asked.endpoint();
    dispatch({ type: 'describe', facts: { model: endpoint.model } });
    const { stream, systemPrompt, extra } = asked.settings();
    const path = requestMessages(pathTo(conversation(), id), systemPrompt);
    const messages = before === '' ? path : [...path, ...continuationMessages(before)];
    const onWait = (waitMs: number): void => void countdown.begin(waitMs);
    const request = { messages, stream, extra, onWait };
    for await (const event of asked.client.chat(endpoint, request, signal)) {
      countdown.end();
      intake.take(event);
    }
    end = { state: 'complete' };
  } catch (error) {
    end = isCancelled(error) ? { state: 'stopped' } : { state: 'failed', error: errorData(error) };
    if (end.error?.kind === 'unexpected') asked.onFault(error);
  }
  countdown.end();
  intake.flush();
  if (end.state === 'complete' && answerOf(conversation(), id)?.finishReason === 'content_filter') {
    end = { state: 'failed', error: { kind: 'content-filter' } };
  }
  const at = clock.now();
  dispatch({ type: 'end', ...end, totalMs: at - started, at });
}

function errorData(error: unknown): AnswerError {
  return error instanceof ServiceError ? error.toJSON() : { kind: 'unexpected' };
}

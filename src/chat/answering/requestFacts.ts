import { createHash } from 'node:crypto';
import type { ServiceError } from '../../base/errors.ts';
import type { ChatMessage } from '../../service/chat/chatRequest.ts';
import type { ChatEvent } from '../../service/chat/completion.ts';
import type { ToldFacts } from '../conversation/conversation.ts';
import type { AskedWith, LimitLeft } from '../conversation/requestRecord.ts';
import type { Parameters } from '../parameters/parameterForms.ts';

/** The longest parameters that are kept with an answer, in characters of JSON. */
const longestKept = 200_000;
/** The most tries that are kept. */
const mostRetries = 20;

/** A chat request, as far as it is the same when it is sent again. */
interface SentRequest {
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly fields: object;
  readonly extra: object;
}

/** What is kept of a request with its answer; undefined where that would be too much. */
export function askedWith(model: string, parameters: Parameters, request: SentRequest): AskedWith | undefined {
  if (JSON.stringify(parameters).length > longestKept) return undefined;
  const { messages, stream, fields, extra } = request;
  // How many answers are asked for at once says nothing of what one of them is.
  const { n: _, ...others } = { ...fields, n: undefined };
  const sent = JSON.stringify([model, messages, stream, others, extra]);
  return { model, parameters, request: createHash('sha256').update(sent).digest('hex') };
}

type Limits = Extract<ChatEvent, { readonly type: 'limits' }>['limits'];

/** @param now milliseconds since the epoch */
export function limitsLeft({ requests, tokens }: Limits, now: number): ToldFacts['limits'] {
  const left = ({ remaining, limit, resetMs }: NonNullable<Limits['requests']>): LimitLeft => ({
    remaining,
    ...(resetMs === undefined ? {} : { resetAt: now + resetMs }),
    ...(limit === undefined ? {} : { limit }),
  });
  return {
    ...(requests === undefined ? {} : { requests: left(requests) }),
    ...(tokens === undefined ? {} : { tokens: left(tokens) }),
  };
}

/** Counts the tries of one request. @param tell is told of all so far with each further one */
export function createRetryCount(tell: (retriedAfter: readonly number[]) => void): (error: ServiceError) => void {
  const after: number[] = [];
  return ({ status = 0 }) => {
    if (after.length === mostRetries) return;
    after.push(status);
    tell([...after]);
  };
}

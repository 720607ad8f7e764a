import { checkChatRequest } from './chatRequest.ts';
import { type Completion, callId, complete, logprobsOf } from './completion.ts';
import type { Json } from './fields.ts';
import type { Exchange } from './options.ts';
import { badField, Refusal, sendJson, sendText } from './replies.ts';
import { streamCompletion } from './stream.ts';
import { checkThoughts, rememberThought, thoughtOf } from './thoughts.ts';

/** Sections 2.1 to 2.6: one object, or server events. */
export async function answerChat(exchange: Exchange, request: Json): Promise<void> {
  checkChatRequest(request, exchange.settings.thoughts);
  checkThoughts(request, exchange.settings);
  const { fault, record } = exchange;
  const streams = request.stream === true;
  if (fault === 'no-stream-support' && streams) {
    throw new Refusal(400, 'Streaming is not supported by this model.', { param: 'stream', code: 'unsupported_value' });
  }
  for (const field of exchange.settings.refusedFields) {
    if (request[field] !== undefined) return refuseField(exchange, field);
  }
  const completion = complete(request, Math.floor(record.at / 1000), exchange.settings);
  rememberThought(completion, exchange.settings);
  if (fault === 'content-filter') for (const choice of completion.choices) choice.finish = 'content_filter';
  if (streams && fault !== 'json-for-stream' && fault !== 'ndjson') {
    const options = request.stream_options as Json | null | undefined;
    await streamCompletion(exchange, completion, options?.include_usage === true);
  } else if (streams && fault === 'ndjson') {
    const lines = completion.choices.flatMap(({ tokens }) =>
      tokens.map((token) => JSON.stringify({ message: { role: 'assistant', content: token }, done: false })),
    );
    sendText(exchange, 200, 'application/x-ndjson', `${[...lines, '{"done":true}'].join('\n')}\n`);
  } else {
    sendJson(exchange, 200, describe(completion, exchange.settings));
  }
}

/** Services say in many ways that they do not know a field. */
function refuseField(exchange: Exchange, field: string): void {
  const { refusalForm } = exchange.settings;
  if (refusalForm === 'param') throw badField(field, `Extra inputs are not permitted, field: '${field}'.`);
  if (refusalForm === 'words') throw new Refusal(400, `Unrecognized request argument supplied: ${field}`);
  const detail = [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }];
  sendJson(exchange, 422, { detail });
}

/** Section 2.4. */
function describe(completion: Completion, settings: Exchange['settings']) {
  const thought = thoughtOf(completion, settings);
  const choices = completion.choices.map((choice) => {
    const calls = choice.calls;
    const message = {
      role: 'assistant',
      content: calls.length || choice.declines ? null : choice.tokens.join(''),
      ...(choice.declines ? { refusal: choice.tokens.join('') } : {}),
      ...(thought === undefined ? {} : { [String(settings.thoughts)]: thought }),
      ...(calls[0] && completion.legacy ? { function_call: calls[0] } : {}),
      ...(calls[0] && !completion.legacy
        ? { tool_calls: calls.map((call, i) => ({ id: callId(completion, i), type: 'function', function: call })) }
        : {}),
    };
    return {
      index: choice.index,
      message,
      logprobs: logprobsOf(completion, choice.tokens),
      finish_reason: choice.finish,
    };
  });
  const { id, created, model, system_fingerprint } = completion.head;
  return { id, object: 'chat.completion', created, model, system_fingerprint, choices, usage: completion.usage };
}

import { type Choice, type Completion, callId, logprobsOf } from './completion.ts';
import { GARBAGE } from './faults.ts';
import type { Exchange, Settings } from './options.ts';
import { pause, requestId } from './replies.ts';
import { thoughtOf } from './thoughts.ts';

/** How many pieces of the answer go out before `hold`, `stall`, `cut`, `cut-clean`, `garbage` and `error-in-stream` strike. */
const PIECES_BEFORE_FAULT = 3;

/**
 * Sends a completion as server events, `data: {…}` and a blank line each, `data: [DONE]` at the end.
 * Stops at the moment the client closes the connection.
 */
export async function streamCompletion(exchange: Exchange, completion: Completion, withUsage: boolean): Promise<void> {
  const { response, gone, fault, settings, record } = exchange;
  record.status = 200;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': requestId(exchange),
  });
  response.flushHeaders();
  const send = (value: unknown) => write(exchange, `data: ${JSON.stringify(value)}\n\n`);
  const chunk = (choices: unknown[], more = {}) => {
    const { id, created, model, system_fingerprint } = completion.head;
    return { id, object: 'chat.completion.chunk', created, model, system_fingerprint, choices, ...more };
  };
  for (const { index } of completion.choices) {
    await send(chunk([{ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]));
  }
  const thought = thoughtOf(completion, settings);
  for (const piece of thought?.match(/[\s\S]{1,9}/g) ?? []) {
    for (const { index } of completion.choices) {
      await send(chunk([{ index, delta: { [String(settings.thoughts)]: piece }, finish_reason: null }]));
    }
  }
  let sent = 0;
  const started = performance.now();
  for (const piece of pieces(completion)) {
    if (gone.aborted) return;
    if (sent++ === PIECES_BEFORE_FAULT && (await strike(exchange))) return;
    await send(chunk([{ ...piece, finish_reason: null }]));
    const delayMs = delayAfter(sent, started, settings);
    if (delayMs > 0) await pause(delayMs, gone);
  }
  // An answer shorter than that ends in the fault all the same.
  if (sent <= PIECES_BEFORE_FAULT && (await strike(exchange))) return;
  for (const choice of completion.choices) {
    const last = choice === completion.choices.at(-1) && settings.usageOnFinish;
    const end = { index: choice.index, delta: {}, logprobs: null, finish_reason: choice.finish };
    await send(chunk([end], last ? { usage: completion.usage } : {}));
  }
  if (withUsage) await send(chunk([], { usage: completion.usage }));
  if (fault !== 'no-done') await write(exchange, 'data: [DONE]\n\n');
  response.end();
}

/** Milliseconds until the next token. */
function delayAfter(sent: number, started: number, { tokenDelayMs, tokensPerSecond }: Settings): number {
  if (tokensPerSecond === undefined) return tokenDelayMs;
  return Math.floor(started + (sent * 1000) / tokensPerSecond - performance.now());
}

/** The deltas of all choices, taken in turns, as services do when `n` is over 1. */
function* pieces(completion: Completion) {
  const queues = completion.choices.map((choice) => [...choicePieces(completion, choice)]);
  for (let i = 0; queues.some((queue) => i < queue.length); i++) {
    for (const queue of queues) {
      const piece = queue[i];
      if (piece) yield piece;
    }
  }
}

function* choicePieces(completion: Completion, choice: Choice) {
  const { index } = choice;
  for (const token of choice.tokens) {
    const delta = choice.declines === true ? { refusal: token } : { content: token };
    yield { index, delta, logprobs: logprobsOf(completion, [token]) };
  }
  for (const [i, call] of choice.calls.entries()) {
    for (const [part, text] of ['', ...(call.arguments.match(/[\s\S]{1,7}/g) ?? [])].entries()) {
      const said = part === 0 ? { name: call.name, arguments: '' } : { arguments: text };
      const opening = part === 0 ? { id: callId(completion, i), type: 'function' } : {};
      const delta = completion.legacy
        ? { function_call: said }
        : { tool_calls: [{ index: i, ...opening, function: said }] };
      yield { index, delta, logprobs: null };
    }
  }
}

/** Plays the faults that strike in the middle of a stream. @returns whether the stream is over */
async function strike(exchange: Exchange): Promise<boolean> {
  const { response, gone, fault } = exchange;
  if (fault === 'hold') {
    await pause(2 ** 31 - 1, gone, exchange.released);
    return gone.aborted;
  }
  if (fault === 'stall') {
    await new Promise<void>((resolve) => {
      if (gone.aborted) resolve();
      gone.addEventListener('abort', () => resolve());
    });
  } else if (fault === 'cut') {
    exchange.record.finished = true;
    // What was written still goes out: a cut wire loses the rest of an answer, not its beginning.
    response.socket?.destroySoon();
  } else if (fault === 'cut-clean') {
    response.end();
  } else if (fault === 'garbage') {
    response.end(GARBAGE);
  } else if (fault === 'error-in-stream') {
    const error = {
      message: 'The server had an error while it was writing.',
      type: 'server_error',
      param: null,
      code: null,
    };
    await write(exchange, `data: ${JSON.stringify({ error })}\n\n`);
    response.end();
  } else {
    return false;
  }
  return true;
}

/** Waits for room in the socket, so that a client that reads slowly is felt here. */
function write({ response, gone }: Exchange, text: string): Promise<void> {
  if (gone.aborted || response.destroyed || response.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    gone.addEventListener('abort', done);
  });
}

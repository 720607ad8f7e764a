import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { ChatRequest } from '../../src/service/chat/chatRequest.ts';
import { answer } from '../corpus/pieces.ts';
import { type Completion, collectCompletion } from '../support/collect.ts';
import { createTestTransport } from './client.ts';

type Body = Record<string, unknown>;
/** What a service answers a question with: the status and body of a refusal, or undefined for an answer. */
type Rule = (
  body: Body,
  count: number,
) => [status: number, body: unknown, headers?: Record<string, string>] | undefined;

/** Asks a service with this rule twice, with the same client; gives the answers, and the bodies it was sent. */
async function askTwice(
  rule: Rule,
  request: Partial<ChatRequest> = {},
): Promise<{ answers: Completion[]; bodies: Body[] }> {
  const bodies: Body[] = [];
  const server = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const piece of incoming) text += String(piece);
    const body = JSON.parse(text) as Body;
    bodies.push(body);
    const [status, said, headers] = rule(body, bodies.length) ?? [200, answer({ content: 'fine' })];
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = createTestTransport();
  try {
    const { chat } = createChatClient(transport);
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const whole: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }], stream: true, ...request };
    const asked = () =>
      collectCompletion(chat({ baseUrl, apiKey: undefined, model: 'm' }, whole, new AbortController().signal));
    return { answers: [await asked(), await asked()], bodies };
  } finally {
    await transport.close();
    server.closeAllConnections();
    server.close();
  }
}

const refusal = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', ...more },
});
const textsOf = (answers: readonly Completion[]) =>
  answers.map(({ choices, error }) => choices[0]?.text ?? error?.kind);
const systemMessages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
] as const;

describe('a service that refuses a request in words of its own', () => {
  test('and wants an organization to be verified to stream is asked for the whole answer, also the next time', async () => {
    const said = refusal('Your organization must be verified to stream this model.', {
      param: 'stream',
      code: 'unsupported_value',
    });
    const { answers, bodies } = await askTwice(({ stream }) => (stream === true ? [400, said] : undefined));
    assert.deepEqual(textsOf(answers), ['fine', 'fine']);
    assert.deepEqual(
      bodies.map(({ stream }) => stream),
      [true, false, false],
    );
  });

  test('and takes one temperature alone is asked without one', async () => {
    const said = refusal('invalid temperature: only 1 is allowed for this model');
    const rule: Rule = ({ temperature }) => (temperature === undefined || temperature === 1 ? undefined : [400, said]);
    const { answers, bodies } = await askTwice(rule, { fields: { temperature: 0.2 } });
    assert.deepEqual(textsOf(answers), ['fine', 'fine']);
    assert.deepEqual(
      bodies.map(({ temperature }) => temperature),
      [0.2, undefined, undefined],
    );
    assert.deepEqual(answers[0]?.adjustments, [{ field: 'temperature' }]);
  });

  test('and takes one temperature alone, and wants to hear it, is told it', async () => {
    const said = refusal('invalid temperature: only 0.6 is allowed for this model');
    const rule: Rule = ({ temperature }) => (temperature === 0.6 ? undefined : [400, said]);
    const { answers, bodies } = await askTwice(rule, { fields: { temperature: 0.2 } });
    assert.deepEqual(textsOf(answers), ['fine', 'fine']);
    assert.equal(bodies.at(-1)?.['temperature'], 0.6);
  });

  test('and takes no system message hears it with the question', async () => {
    for (const status of [400, 500]) {
      const rule: Rule = ({ messages }) =>
        (messages as { role: string }[]).some(({ role }) => role === 'system')
          ? [status, refusal('System role not supported')]
          : undefined;
      const { answers, bodies } = await askTwice(rule, { messages: systemMessages });
      assert.deepEqual(textsOf(answers), ['fine', 'fine']);
      assert.equal(bodies.length, 3, 'each refusal is heard once');
      assert.deepEqual(bodies.at(-1)?.['messages'], [{ role: 'user', content: 'Be brief.\n\nHi' }]);
      assert.deepEqual(answers[0]?.adjustments, [{ field: 'messages.system' }]);
    }
  });

  test('and fails with 500 over a field is asked once more without it, and no other time', async () => {
    const said = { error: "Completions.create() got an unexpected keyword argument 'stream_options'" };
    const { answers, bodies } = await askTwice(({ stream_options }) => (stream_options ? [500, said] : undefined));
    assert.deepEqual(textsOf(answers), ['fine', 'fine']);
    assert.equal(bodies.length, 3);
  });

  test('and has too small a cache for the prompt is asked once', async () => {
    const { answers, bodies } = await askTwice(() => [500, refusal('input prompt is too big compared to KV size')]);
    assert.deepEqual(textsOf(answers), ['context-length', 'context-length']);
    assert.equal(bodies.length, 2);
  });

  test('with a status of no meaning is asked once, and the status is told', async () => {
    for (const status of [600, 777, 999]) {
      const { answers, bodies } = await askTwice(() => [status, 'Request denied']);
      assert.deepEqual(
        answers.map(({ error }) => error?.status),
        [status, status],
      );
      assert.equal(bodies.length, 2);
    }
  });

  test('and asks to wait for hours, in its body, is asked once, and the time is told', async () => {
    const headers = { 'X-RateLimit-Reset': String(Date.now() + 9 * 3_600_000) };
    const said = { error: { message: 'Rate limit exceeded: free-models-per-day', code: 429, metadata: { headers } } };
    const { answers, bodies } = await askTwice(() => [429, said]);
    assert.equal(bodies.length, 2);
    assert.ok((answers[0]?.error?.retryAfterMs ?? 0) > 8.9 * 3_600_000);
  });

  test('and fails of itself stays a failure', async () => {
    const { answers } = await askTwice(() => [500, refusal('The file system is full.')], { messages: systemMessages });
    assert.deepEqual(textsOf(answers), ['server', 'server']);
  });
});

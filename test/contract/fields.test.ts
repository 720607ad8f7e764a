import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { ChatFields, ChatRequest } from '../../src/service/chat/chatRequest.ts';
import { createFieldMemory } from '../../src/service/compat/fieldMemory.ts';
import type { Transport } from '../../src/service/request.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { collectCompletion } from '../support/collect.ts';
import { createTestTransport, endpointOf } from './client.ts';

/** Runs a test against a service of its own. */
async function withService(
  options: ReferenceServiceOptions,
  run: (service: ReferenceService, transport: Transport) => Promise<void>,
): Promise<void> {
  const service = await createReferenceService(options);
  const transport = createTestTransport();
  try {
    await run(service, transport);
  } finally {
    await transport.close();
    await service.close();
  }
}

const ask = (fields: ChatFields = {}, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: 'say: fine' }],
  stream: true,
  fields,
  ...more,
});
const bodies = (service: ReferenceService) => service.requests.map((sent) => sent.body as Record<string, unknown>);
const never = new AbortController().signal;

describe('a field that a service refuses', () => {
  for (const refusalForm of ['param', 'words', 'detail'] as const) {
    test(`quirk 24: is left out, said once, and remembered (${refusalForm})`, async () => {
      const refusedFields = ['stream_options', 'seed', 'logprobs', 'parallel_tool_calls', 'user'];
      await withService({ refusedFields, refusalForm }, async (service, transport) => {
        const memory = createFieldMemory();
        const { chat } = createChatClient(transport, memory);
        const endpoint = endpointOf(service, 'parley-chat');
        const fields = { seed: 1, logprobs: true, top_logprobs: 3, user: 'u', temperature: 0 };
        const first = await collectCompletion(chat(endpoint, ask(fields), never));
        assert.equal(first.error, undefined);
        assert.equal(first.choices[0]?.text, 'fine');
        assert.deepEqual(first.adjustments.map((each) => each.field).sort(), [
          'logprobs',
          'seed',
          'stream_options',
          'user',
        ]);
        assert.equal(service.requests.length, 5);
        const again = await collectCompletion(createChatClient(transport, memory).chat(endpoint, ask(fields), never));
        assert.ok(again.adjustments.length === 4 && again.adjustments.every((each) => 'remembered' in each));
        assert.equal(service.requests.length, 6);
        assert.equal(bodies(service)[5]?.['temperature'], 0);
        assert.equal(bodies(service)[5]?.['top_logprobs'], undefined);
        // Another model may take them.
        await collectCompletion(chat({ ...endpoint, model: 'other' }, ask({ seed: 1 }), never));
        assert.equal(bodies(service)[6]?.['seed'], 1);
      });
    });
  }

  test('quirk 24: is said before anything of the answer', async () => {
    await withService({ refusedFields: ['seed'] }, async (service, transport) => {
      const events = createChatClient(transport).chat(endpointOf(service, 'parley-chat'), ask({ seed: 1 }), never);
      assert.deepEqual((await events.next()).value, { type: 'adjusted', field: 'seed' });
      await events.return();
      await service.waitForRequest((request) => request.status === 200 && request.finished);
    });
  });

  test('quirk 24: max_tokens becomes max_completion_tokens', async () => {
    await withService({ refusedFields: ['max_tokens'] }, async (service, transport) => {
      // The reference service knows the other name as little, so both are tried before the field goes.
      const { chat } = createChatClient(transport);
      const answer = await collectCompletion(chat(endpointOf(service, 'parley-chat'), ask({ max_tokens: 5 }), never));
      assert.deepEqual(answer.adjustments, [{ field: 'max_tokens' }]);
      assert.deepEqual(
        bodies(service).map((body) => [body['max_tokens'], body['max_completion_tokens']]),
        [
          [5, undefined],
          [undefined, 5],
          [undefined, undefined],
        ],
      );
    });
  });

  test('quirk 24: of the extra body goes too', async () => {
    await withService({}, async (service, transport) => {
      const request = ask({ temperature: 1 }, { extra: { no_such_field: { a: 1 }, temperature: 0 } });
      const answer = await collectCompletion(
        createChatClient(transport).chat(endpointOf(service, 'm'), request, never),
      );
      assert.equal(answer.choices[0]?.text, 'fine');
      assert.deepEqual(bodies(service)[0]?.['no_such_field'], { a: 1 });
      assert.equal(bodies(service)[0]?.['temperature'], 0);
      assert.deepEqual(answer.adjustments, [{ field: 'no_such_field' }]);
    });
  });

  test('quirk 25: json_schema falls back to json_object', async () => {
    await withService({}, async (service, transport) => {
      const schema = { type: 'object', properties: { tide: { type: 'string' } } };
      const fields = { response_format: { type: 'json_schema', json_schema: { name: 'tide', schema } } };
      const answer = await collectCompletion(
        createChatClient(transport).chat(endpointOf(service, 'm'), ask(fields), never),
      );
      assert.equal(answer.error, undefined);
      assert.deepEqual(answer.adjustments, [{ field: 'response_format', renamedTo: 'json_object' }]);
      assert.deepEqual(bodies(service)[1]?.['response_format'], { type: 'json_object' });
    });
  });

  test('that is “stream” is asked for in one piece', async () => {
    await withService({}, async (service, transport) => {
      const { chat } = createChatClient(transport);
      const answer = await collectCompletion(chat(endpointOf(service, 'fault-no-stream-support'), ask(), never));
      assert.equal(answer.choices[0]?.text, 'fine');
      assert.deepEqual(answer.adjustments, [{ field: 'stream' }]);
    });
  });

  test('is left in where only its value is wrong', async () => {
    await withService({}, async (service, transport) => {
      const { chat } = createChatClient(transport);
      const answer = await collectCompletion(chat(endpointOf(service, 'm'), ask({ temperature: 99 }), never));
      assert.equal(answer.error?.kind, 'bad-request');
      assert.equal(answer.error?.param, 'temperature');
      assert.equal(service.requests.length, 1);
    });
  });

  test('ends a request that has more than sixteen of them', async () => {
    const extra = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field_${i}`, i]));
    await withService({}, async (service, transport) => {
      const memory = createFieldMemory();
      const { chat } = createChatClient(transport, memory);
      const endpoint = endpointOf(service, 'm');
      const answer = await collectCompletion(chat(endpoint, ask({}, { extra }), never));
      assert.equal(answer.error?.kind, 'bad-request');
      assert.equal(service.requests.length, 17);
      assert.deepEqual(memory.adjustments(endpoint.baseUrl, 'm'), []);
    });
  });
});

describe('a request with a mistake', () => {
  test('is not sent at all', async () => {
    await withService({}, async (service, transport) => {
      const request = ask({ tools: [{ type: 'function', function: { name: 'two words' } }] });
      const answer = await collectCompletion(
        createChatClient(transport).chat(endpointOf(service, 'm'), request, never),
      );
      assert.equal(answer.error?.kind, 'invalid-request');
      assert.equal(answer.error?.param, 'tools[0].function.name');
      assert.equal(service.requests.length, 0);
    });
  });
});

describe('an answer that nobody reads to its end', () => {
  test('closes its socket', async () => {
    await withService({ tokenDelayMs: 5 }, async (service, transport) => {
      const request = ask({}, { messages: [{ role: 'user', content: 'count to 5000' }] });
      for await (const event of createChatClient(transport).chat(endpointOf(service, 'm'), request, never)) {
        if (event.type === 'text') break;
      }
      assert.equal((await service.waitForRequest((sent) => sent.finished)).aborted, true);
    });
  });
});

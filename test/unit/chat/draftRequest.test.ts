import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/base/errors.ts';
import { type Action, type Conversation, emptyConversation } from '../../../src/chat/conversation/conversation.ts';
import { reduce } from '../../../src/chat/conversation/reduce.ts';
import { draftRequest } from '../../../src/chat/draftRequest.ts';
import { createSession } from '../../../src/chat/session.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { createFieldMemory } from '../../../src/service/compat/fieldMemory.ts';
import { end, turn } from './actions.ts';
import { attachment } from './sessions.ts';

const baseUrl = 'http://localhost/v1';

/** What a session is given, and all that it sends: nobody answers. */
function setUp(conversation: Conversation) {
  const sent: string[] = [];
  const memory = createFieldMemory();
  const client = createServiceClient(
    {
      async send({ body }) {
        sent.push(String(body));
        throw new ServiceError('dns');
      },
      close: async () => undefined,
    },
    memory,
  );
  let ids = 0;
  const options = {
    endpoint: async (model = 'm') => ({ baseUrl, model }),
    settings: () => ({ stream: true, systemPrompt: 'Be brief.', extra: { top_k: 40 } }),
    instructions: async () => [],
    clock: { now: () => 10, random: () => 0, sleep: async () => undefined },
    newId: () => `new${ids++}`,
    onAction: () => undefined,
    onPatches: () => undefined,
    onConfigure: () => undefined,
    onFault: (fault: unknown) => assert.fail(String(fault)),
  };
  const session = createSession(conversation, { ...options, client });
  return { session, options, memory, sent };
}

const conversationAfter = (actions: readonly Action[]): Conversation =>
  actions.reduce((before, action) => reduce(before, action).conversation, emptyConversation('c', 1));
const asked = conversationAfter(turn(1, 2));

describe('A request that is drafted', () => {
  test('is the one that asking sends, with whatever the conversation has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.record(
          {
            temperature: fc.double({ min: 0, max: 2, noNaN: true }),
            n: fc.integer({ min: 1, max: 4 }),
            stop: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
            seed: fc.integer(),
          },
          { requiredKeys: [] },
        ),
        fc.option(fc.constantFrom('other', 'third'), { nil: null }),
        fc.boolean(),
        fc.boolean(),
        async (text, parameters, model, isAttached, isRefused) => {
          const { session, memory, sent } = setUp(asked);
          if (isRefused) memory.add(baseUrl, model ?? 'm', { field: 'seed' });
          session.configure({ parameters, model });
          const attachments = isAttached ? [attachment] : [];
          const before = session.conversation;
          const drafted = await session.draft({ text, attachments }, memory);
          assert.deepEqual(sent, []);
          assert.equal(session.conversation, before);
          await session.ask(text, attachments);
          assert.deepEqual(sent, [drafted?.body]);
          assert.equal(drafted?.url, `${baseUrl}/chat/completions`);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('is the last question once more where none is given, also where its answer failed', async () => {
    for (const conversation of [
      asked,
      conversationAfter([...turn(1, 2).slice(0, 2), end('a1', 4, { state: 'failed' })]),
    ]) {
      const { session, memory, sent } = setUp(conversation);
      const drafted = await session.draft(undefined, memory);
      await session.retry();
      assert.deepEqual(sent, [drafted?.body]);
    }
  });

  test('is none where nothing was asked', async () => {
    const { session, memory } = setUp(emptyConversation('c', 1));
    assert.equal(await session.draft(undefined, memory), undefined);
  });

  test('says what keeps it from being made, as asking would', async () => {
    const { options, memory } = setUp(asked);
    const endpoint = (): Promise<never> => Promise.reject(new ServiceError('no-address'));
    await assert.rejects(draftRequest(asked, undefined, { ...options, endpoint }, memory), { kind: 'no-address' });
    const settings = () => ({ ...options.settings(), extra: 'hot' as never });
    await assert.rejects(draftRequest(asked, undefined, { ...options, settings }, memory), { kind: 'invalid-request' });
  });

  test('is made while an answer is written, and leaves that one alone', async () => {
    const { session, memory } = setUp(conversationAfter(turn(1, 2).slice(0, 3)));
    const drafted = await session.draft({ text: 'next', attachments: [] }, memory);
    assert.match(String(drafted?.body), /"next"/);
    assert.equal(session.conversation.messages.length, 2);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { Transport } from '../../src/service/request.ts';
import type { CorpusCase, Expected } from '../corpus/case.ts';
import { type CorpusService, piecesOf, serveCorpus } from '../corpus/serve.ts';
import { streamCases } from '../corpus/streams.ts';
import { toolCallCases } from '../corpus/toolCalls.ts';
import { type Completion, collectCompletion } from '../support/collect.ts';
import { createTestTransport } from './client.ts';

const cases = [...streamCases, ...toolCallCases];

/** The same answer in packets of a few bytes. */
function inSmallPackets(each: CorpusCase): CorpusCase {
  const bytes = Buffer.concat(piecesOf(each.body).map((piece) => Buffer.from(piece)));
  const size = bytes.length > 4000 ? 997 : 7;
  const count = Math.ceil(bytes.length / size);
  return { ...each, body: Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size)) };
}

const asWritten = new Map(cases.map((each) => [each, each]));
const split = new Map(cases.map((each) => [each, inSmallPackets(each)]));

describe('a chat answer', () => {
  let service: CorpusService;
  let transport: Transport;
  before(async () => {
    service = await serveCorpus([...asWritten.values(), ...split.values()]);
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  async function ask(each: CorpusCase): Promise<Completion> {
    const request = { messages: [{ role: 'user' as const, content: 'hi' }], stream: each.stream ?? false };
    const endpoint = { baseUrl: service.baseUrl(each), model: 'm' };
    return collectCompletion(createChatClient(transport).chat(endpoint, request, new AbortController().signal));
  }

  for (const each of cases) {
    const rows = each.quirks?.length ? `quirk ${each.quirks.join(', quirk ')}: ` : '';
    test(`${rows}${each.name}`, async () => {
      for (const form of [asWritten, split]) {
        const played = form.get(each) ?? each;
        const completion = await ask(played);
        if (each.expected.ok) holdSound(completion, each.expected);
        else holdBroken(completion, each.expected);
        assert.equal(service.requests(played), 1);
      }
    });
  }
});

function holdSound(completion: Completion, expected: Extract<Expected, { ok: true }>): void {
  assert.equal(completion.error, undefined);
  const { choices, usage } = completion;
  const first = choices[0];
  if (typeof expected.text === 'string') assert.equal(first?.text, expected.text);
  else if (expected.text !== undefined)
    assert.deepEqual(
      choices.map((choice) => choice.text),
      expected.text,
    );
  assert.equal(first?.reasoning, expected.reasoning ?? '');
  const made = first?.toolCalls ?? [];
  assert.deepEqual(
    made.map(({ id, ...call }, i) => (expected.toolCalls?.[i]?.id === undefined ? call : { id, ...call })),
    expected.toolCalls ?? [],
  );
  assert.equal(new Set(made.map((call) => call.id)).size, made.length, 'every call has an id of its own');
  assert.ok(made.every((call) => call.id !== ''));
  assert.deepEqual(first?.functionCall, expected.functionCall);
  if (expected.finishReason !== undefined) assert.equal(first?.finishReason, expected.finishReason);
  if (expected.usage === 'unknown') assert.equal(usage, undefined);
  else if (expected.usage !== undefined) {
    assert.deepEqual({ prompt: usage?.promptTokens, completion: usage?.completionTokens }, expected.usage);
  }
}

function holdBroken(completion: Completion, expected: Extract<Expected, { ok: false }>): void {
  assert.ok(
    [expected.kind].flat().includes(completion.error?.kind ?? 'cancelled'),
    completion.error?.kind ?? 'no error',
  );
  if (expected.says !== undefined)
    assert.ok(completion.error?.message.includes(expected.says), completion.error?.message);
  assert.equal(completion.choices[0]?.text ?? '', expected.partial ?? '');
  assert.ok(completion.choices.every((choice) => choice.toolCalls.length === 0 && choice.functionCall === undefined));
}

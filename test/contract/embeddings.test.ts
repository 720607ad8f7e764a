import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { ServiceError } from '../../src/base/errors.ts';
import { embedAll } from '../../src/search/embedding/embedder.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createFieldMemory } from '../../src/service/compat/fieldMemory.ts';
import { type EmbeddingFields, embed } from '../../src/service/embeddings/embeddings.ts';
import type { Endpoint } from '../../src/service/endpoint.ts';
import { guessPurpose, sortForPurpose } from '../../src/service/models/modelPurpose.ts';
import { listModels } from '../../src/service/models/models.ts';
import type { Transport } from '../../src/service/request.ts';
import type { CorpusCase } from '../corpus/case.ts';
import { embeddingCases } from '../corpus/embeddings.ts';
import { type CorpusService, serveCorpus } from '../corpus/serve.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

const { signal } = new AbortController();

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}
const kindOf = async (call: Promise<unknown>): Promise<string> => (await failure(call)).kind;

describe('embeddings and models on a real socket', () => {
  let service: ReferenceService;
  let transport: Transport;
  before(async () => {
    service = await createReferenceService();
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  test('one vector comes back for each text, in order, and counted', async () => {
    const texts = ['open a file', 'draw a button', 'retry a request'];
    const { vectors, usage, model } = await embed(transport, endpointOf(service, 'parley-embed'), texts, signal);
    assert.equal(vectors.length, 3);
    assert.equal(model, 'parley-embed');
    assert.ok((usage?.promptTokens ?? 0) > 0);
    assert.equal(usage?.totalTokens, usage?.promptTokens);
    for (const [i, text] of texts.entries()) {
      const alone = await embed(transport, endpointOf(service, 'parley-embed'), [text], signal);
      assert.deepEqual(alone.vectors[0], vectors[i]);
    }
  });

  test('vectors out of order are put in order by their index', async () => {
    const texts = ['first', 'second', 'third', 'fourth'];
    const straight = await embed(transport, endpointOf(service, 'parley-embed'), texts, signal);
    const shuffled = await embed(transport, endpointOf(service, 'fault-embeddings-shuffled'), texts, signal);
    assert.deepEqual(shuffled.vectors, straight.vectors);
  });

  test('every field of the document is sent as it is, and dimensions are held', async () => {
    const fields: EmbeddingFields = { encoding_format: 'base64', user: 'somebody', dimensions: 64 };
    const { vectors } = await embed(transport, endpointOf(service, 'parley-embed'), ['a', 'b'], signal, { fields });
    assert.deepEqual(
      vectors.map(({ length }) => length),
      [64, 64],
    );
    assert.deepEqual(service.requests.at(-1)?.body, { model: 'parley-embed', input: ['a', 'b'], ...fields });
  });

  for (const fault of ['embeddings-short', 'embeddings-zero', 'html', 'empty', 'garbage']) {
    test(`an answer of the kind ${fault} is refused, not stored`, async () => {
      const kind = await kindOf(embed(transport, endpointOf(service, `fault-${fault}`), ['a', 'b'], signal));
      assert.equal(kind, fault === 'html' ? 'login-page' : 'malformed');
    });
  }

  test('a field with a value it cannot have is named, and nothing is sent', async () => {
    const sent = service.requests.length;
    const endpoint = endpointOf(service, 'parley-embed');
    const call = (inputs: unknown, fields: unknown = {}, to = endpoint): Promise<unknown> =>
      embed(transport, to, inputs as string[], signal, { fields: fields as EmbeddingFields });
    for (const [wrong, param, hint] of [
      [call(['a', 'b', 'c', '']), 'input[3]', 'a text that is not empty'],
      [call(['a', 7]), 'input[1]', 'a text that is not empty'],
      [call([]), 'input', 'at least one text'],
      [call(Array(2049).fill('a')), 'input', 'at most 2048 texts'],
      [call(['a'], {}, { ...endpoint, model: '' }), 'model', 'text that is not empty'],
      [call(['a'], { encoding_format: 'int8' }), 'encoding_format', 'float or base64'],
      [call(['a'], { user: 7 }), 'user', 'text'],
      [call(['a'], { dimensions: 0.5 }), 'dimensions', 'a whole number of at least 1'],
    ] as const) {
      const error = await failure(wrong);
      assert.deepEqual([error.kind, error.param, error.hint], ['invalid-request', param, hint]);
    }
    assert.equal(service.requests.length, sent);
  });

  test('the models a service offers are listed, and sorted by what they seem to be for', async () => {
    const models = await listModels(transport, endpointOf(service, ''), signal);
    assert.deepEqual(
      models.map(({ id }) => id),
      ['parley-chat', 'parley-chat-large', 'parley-embed', 'parley-whisper'],
    );
    assert.equal(sortForPurpose(models, 'embeddings')[0]?.id, 'parley-embed');
    assert.equal(sortForPurpose(models, 'audio')[0]?.id, 'parley-whisper');
    assert.equal(guessPurpose('text-embedding-3-small'), 'embeddings');
  });

  test('a service without a list of models is no error, a wrong key is', async () => {
    const bare = await createReferenceService({ models: false });
    assert.deepEqual(await listModels(transport, endpointOf(bare, ''), signal), []);
    await bare.close();
    assert.equal(await kindOf(listModels(transport, endpointOf(service, '', 'sk-wrong-key'), signal)), 'auth');
  });
});

describe('answers to a request for embeddings', () => {
  let service: CorpusService;
  let transport: Transport;
  before(async () => {
    service = await serveCorpus(embeddingCases);
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });
  const call = (each: CorpusCase) =>
    embed(transport, { baseUrl: service.baseUrl(each), model: 'parley-embed' }, each.inputs ?? [], signal);

  for (const each of embeddingCases) {
    const { name, quirks = [], expected } = each;
    const title = quirks.length > 0 ? `quirk ${quirks.join(', ')}: ${name}` : name;
    if (expected.ok) {
      test(`${title}: the vectors are right`, async () => {
        const { vectors, usage } = await call(each);
        assert.deepEqual(
          vectors.map((vector) => [...vector]),
          expected.vectors,
        );
        if (expected.usage === 'unknown') assert.equal(usage, undefined);
        else assert.deepEqual(usage, { promptTokens: 9, totalTokens: 9 });
      });
    } else {
      test(`${title}: it is ${expected.kind}`, async () => {
        const error = await failure(call(each));
        assert.equal(error.kind, expected.kind);
        assert.ok(error.message.includes(expected.says ?? ''), error.message);
        if (error.kind === 'malformed') assert.ok(error.hint, 'the log can say what was wrong');
        assert.equal(service.requests(each), 1);
      });
    }
  }
});

interface Asked {
  model: string;
  input: string | string[];
  encoding_format?: string;
}

/** A service of embeddings of which the test writes the refusals. */
async function listen(
  t: TestContext,
  answer: (asked: Asked, inputs: string[]) => { status: number; body: object } | undefined,
) {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
    requests.push(asked);
    const inputs = [asked.input].flat();
    const data = inputs.map((text, index) => ({ index, embedding: [Number(text.slice(1)) + 1, 1] })).reverse();
    const { status, body } = answer(asked, inputs) ?? { status: 200, body: { data } };
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint: Endpoint = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, model: 'm' };
  t.after(() => server.close());
  return { endpoint, requests };
}

describe('indexing at a service that is picky', () => {
  let transport: Transport;
  before(() => {
    transport = createTestTransport();
  });
  after(() => transport.close());

  /** Embeds `#0`, `#1`, … and gives their vectors, and what was learned of the size of a batch. */
  async function embedMany(count: number, endpoint: Endpoint, memory = createFieldMemory()) {
    const vectors = new Map<string, Float32Array>();
    const items = Array.from({ length: count }, (_, i) => ({ hash: Buffer.from(`#${i}`), text: `#${i}` }));
    const { baseUrl, model } = endpoint;
    await embedAll(
      items,
      {
        embed: async (texts, inner) => (await embed(transport, endpoint, texts, inner, { memory })).vectors,
        save: (answer) => {
          for (const { hash, vector } of answer) vectors.set(Buffer.from(hash).toString(), vector);
        },
        batchSize: memory.batchSize(baseUrl, model),
        learn: (size) => memory.setBatchSize(baseUrl, model, size),
        now: () => performance.now(),
      },
      signal,
    );
    assert.equal(vectors.size, count);
    return { vectors, memory };
  }

  for (const most of [10, 32]) {
    test(`quirk 46: at most ${most} texts: nothing is lost, few requests are wasted, none the second time`, async (t) => {
      const service = await createReferenceService();
      t.after(() => service.close());
      const endpoint = endpointOf(service, `parley-embed-fault-embeddings-batch-${most}`);
      const { memory } = await embedMany(most * 50, endpoint);
      assert.ok(service.requests.length <= 50 * 1.15, `${service.requests.length} requests for 50`);
      const before = service.requests.length;
      await embedMany(most * 50, endpoint, memory);
      assert.ok(service.requests.slice(before).every(({ status }) => status === 200));
      assert.ok(service.requests.length - before <= 50);
    });
  }

  test('quirk 45, 46: at most 10 texts, every third request refused for a while, vectors out of order', async (t) => {
    const refused = new Set<string>();
    let calls = 0;
    let good = 0;
    const service = await listen(t, (_asked, inputs) => {
      // The same request is let through when it comes again.
      if (++calls % 3 === 0 && !refused.has(inputs.join())) {
        refused.add(inputs.join());
        return { status: 429, body: { error: { message: 'Rate limit reached.' } } };
      }
      if (inputs.length > 10) return { status: 422, body: { detail: 'batch size > 10' } };
      good++;
      return undefined;
    });
    const { vectors } = await embedMany(300, service.endpoint);
    for (const [text, vector] of vectors) assert.deepEqual([...vector], [Number(text.slice(1)) + 1, 1]);
    assert.ok(good <= 30 * 1.15, `${good} requests for 30`);
  });
});

describe('what an embeddings service refuses', () => {
  let transport: Transport;
  before(() => {
    transport = createTestTransport();
  });
  after(() => transport.close());

  for (const [status, body] of [
    [400, { error: { message: 'Unknown field.', param: 'encoding_format' } }],
    [400, { error: { message: "Unrecognized request argument supplied: 'encoding_format'" } }],
    [422, { detail: [{ loc: ['body', 'encoding_format'], msg: 'Extra inputs are not permitted' }] }],
  ] as const) {
    test(`quirk 24: a field refused with ${status} ${JSON.stringify(body).slice(0, 30)}… is left out, and from then on`, async (t) => {
      const service = await listen(t, ({ encoding_format: format }) => (format ? { status, body } : undefined));
      const client = createServiceClient(transport);
      const told: string[] = [];
      for (const model of ['a', 'a', 'b']) {
        const { vectors } = await client.embed({ ...service.endpoint, model }, ['#1'], signal, {
          onAdjusted: ({ field }) => told.push(field),
        });
        assert.deepEqual(vectors, [Float32Array.of(2, 1)]);
      }
      assert.deepEqual(
        service.requests.map(({ model, encoding_format: format }) => `${model} ${format ?? '-'}`),
        ['a float', 'a -', 'a -', 'b float', 'b -'],
      );
      assert.deepEqual(told, ['encoding_format', 'encoding_format']);
    });
  }

  test('a field that was refused by a service that then fails is asked for again', async (t) => {
    const outcomes = [
      { status: 400, body: { error: { message: 'Unknown field.', param: 'encoding_format' } } },
      { status: 403, body: { error: { message: 'No.' } } },
    ];
    const service = await listen(t, () => outcomes.shift());
    const memory = createFieldMemory();
    assert.equal(await kindOf(embed(transport, service.endpoint, ['#1'], signal, { memory })), 'permission');
    await embed(transport, service.endpoint, ['#1'], signal, { memory });
    assert.deepEqual(
      service.requests.map(({ encoding_format: format }) => format ?? '-'),
      ['float', '-', 'float'],
    );
  });

  test('a refusal of something else is not asked again', async (t) => {
    const service = await listen(t, () => ({ status: 400, body: { error: { message: 'No.', param: 'input' } } }));
    assert.equal(await kindOf(embed(transport, service.endpoint, ['#1'], signal)), 'bad-request');
    assert.equal(service.requests.length, 1);
  });
});

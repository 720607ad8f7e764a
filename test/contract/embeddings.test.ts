import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { embed } from '../../src/service/embeddings.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { guessPurpose, sortForPurpose } from '../../src/service/modelPurpose.ts';
import { listModels } from '../../src/service/models.ts';
import type { Transport } from '../../src/service/transport.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

const kindOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error.kind;
    throw error;
  }
  return 'ok';
};

describe('embeddings and models on a real socket', () => {
  let service: ReferenceService;
  let transport: Transport;
  const { signal } = new AbortController();
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
    const { vectors, promptTokens } = await embed(transport, endpointOf(service, 'parley-embed'), texts, signal);
    assert.equal(vectors.length, 3);
    assert.ok((promptTokens ?? 0) > 0);
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

  for (const fault of ['embeddings-short', 'embeddings-zero', 'html', 'empty', 'garbage']) {
    test(`an answer of the kind ${fault} is refused, not stored`, async () => {
      const kind = await kindOf(embed(transport, endpointOf(service, `fault-${fault}`), ['a', 'b'], signal));
      assert.equal(kind, fault === 'html' ? 'login-page' : 'malformed');
    });
  }

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

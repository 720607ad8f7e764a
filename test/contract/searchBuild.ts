/** A process that builds an index with a service, until it is done or killed: folder of the index, root, address. */
import { createEngine } from '../../src/search/engine.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { embed } from '../../src/service/embeddings.ts';
import { createTestTransport, testKey } from './client.ts';

const [directory = '', root = '', baseUrl = ''] = process.argv.slice(2);
const transport = createTestTransport();
const to = { baseUrl, model: 'parley-embed', apiKey: new ApiKey(testKey) };
const engine = createEngine(directory);
await engine.index(
  { roots: [root], maxBytes: 1024 * 1024 },
  {
    model: to.model,
    // Small requests, so that there are many moments to be killed at.
    batchSize: { taken: 8, refused: 9 },
    embed: async (texts, signal) => (await embed(transport, to, texts, signal)).vectors,
  },
  new AbortController().signal,
  () => undefined,
);
engine.close();
await transport.close();

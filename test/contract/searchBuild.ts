/**
 * A window that builds an index with a service, until it is done or killed: folder of the index, root, address; with `ask` it
 * searches all the time meanwhile, and saves files of its own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../src/base/errors.ts';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { createTestTransport, testKey } from './client.ts';

const [directory = '', root = '', baseUrl = '', work] = process.argv.slice(2);
const transport = createTestTransport();
const to = { baseUrl, model: 'parley-embed', apiKey: new ApiKey(testKey) };
const search = createSearchClient(new URL('../../src/search/worker/worker.ts', import.meta.url), directory);
const scope = { roots: [root], maxBytes: 1024 * 1024 };
const embeddingModel: EmbeddingModel = {
  model: to.model,
  // Small requests, so that there are many moments to be killed at.
  batchSize: { taken: 8, refused: 9 },
  embed: async (texts, signal) => {
    const { vectors } = await embed(transport, to, texts, signal);
    return vectors;
  },
};
const asked = { answered: 0, longestMs: 0, saved: 0, errors: [] as string[] };

function fail(error: unknown): void {
  asked.errors.push(error instanceof ServiceError ? `${error.kind} ${error.hint}` : String(error));
}

/** Searches by words, one question after the other, and saves a file now and then, until the build is over. */
async function ask(isOver: () => boolean): Promise<void> {
  const saves: Promise<unknown>[] = [];
  while (!isOver()) {
    const start = performance.now();
    await search.search([root], { text: 'ship', limit: 5, globs: [] }, undefined).then(() => asked.answered++, fail);
    asked.longestMs = Math.max(asked.longestMs, performance.now() - start);
    if (asked.answered % 40 !== 1) continue;
    const file = join(root, `saved-${process.pid}-${asked.saved++}.ts`);
    writeFileSync(file, `export const saved${process.pid}${asked.saved} = 1;\n`);
    saves.push(search.update(scope, [file], embeddingModel).catch(fail));
  }
  await Promise.all(saves);
}

let isOver = false;
const asking = work === 'ask' ? ask(() => isOver) : undefined;
await search.index(scope, embeddingModel).catch((error: unknown) => {
  if (asking === undefined) throw error;
  fail(error);
});
isOver = true;
await asking;
const { filesDone, indexed } = await search.status(embeddingModel);
console.log(JSON.stringify({ ...asked, filesDone, files: indexed.files }));
await search.close();
await transport.close();

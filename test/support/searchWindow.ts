/** A window of its own: a process that builds an index and searches it, while others do the same. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../src/base/errors.ts';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';
import { vectorOf } from './searchVectors.ts';

const question = 'where are the ships';
const numberOf = (text: string): number => Number(/ship(\d+)/.exec(text)?.[1] ?? 0);
export const vectorFor = (number: number): Float32Array => vectorOf(number, 64);

async function work(directory: string, root: string, log: string, cachePath?: string): Promise<void> {
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const search = createSearchClient(
    new URL('../../src/search/worker/worker.ts', import.meta.url),
    directory,
    cachePath,
  );
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    origin: 'http://one',
    embed: async (texts) => {
      const own = texts.filter((text) => text !== question);
      appendFileSync(log, own.map((text) => `${numberOf(text)}\n`).join(''));
      // As long as a service takes, so that the windows are at work at the same time.
      await sleep(50);
      return texts.map((text) => vectorFor(numberOf(text)));
    },
  };
  const errors: string[] = [];
  const take = (error: unknown): void => {
    errors.push(error instanceof ServiceError ? `${error.kind} ${error.hint}` : String(error));
  };
  let searches = 0;
  let isBuilt = false;
  async function ask(): Promise<void> {
    while (!isBuilt) {
      await search.search([root], { text: question, limit: 5, globs: [] }, embeddingModel).then(() => searches++, take);
      await search.status(embeddingModel).catch(take);
    }
  }
  const asking = ask();
  await search.index(scope, embeddingModel).catch(take);
  isBuilt = true;
  await asking;
  const { filesDone } = await search.status(embeddingModel);
  await search.close();
  console.log(JSON.stringify({ errors: [...new Set(errors)], filesDone, searches }));
}

if (process.argv[1] === import.meta.filename) {
  const [directory = '', root = '', log = '', cachePath] = process.argv.slice(2);
  await work(directory, root, log, cachePath);
}

/** A process with an index on a disk that does not take what is written. It prints what came of it, as JSON. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ServiceError } from '../../src/base/errors.ts';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../src/search/worker/searchClient.ts';

const [scenario, directory = '', root = '', uid] = process.argv.slice(2);
const source = new URL('../../src/search/worker/worker.ts', import.meta.url);
const script = uid === undefined ? source : bundledFor(root);
const scope = { roots: [root], maxBytes: 16 * 1024 * 1024 };
const question = 'ships';
/** Texts of files. */
const sent: string[] = [];

/** A world in which texts are about ships, or not. */
const embeddingModel: EmbeddingModel = {
  model: 'm',
  embed: async (texts) => {
    sent.push(...texts.filter((text) => text !== question));
    return texts.map((text) => Float32Array.from({ length: 512 }, (_, i) => (i === 0 && /ship/.test(text) ? 20 : 1)));
  },
};

const client = createSearchClient(script, directory);

/** One file that anybody may read, wherever this repository lies. */
function bundledFor(folder: string): string {
  const outfile = join(folder, '.git', 'searchWorker.cjs');
  buildSync({
    entryPoints: [source.pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': 'undefined' },
  });
  return outfile;
}

async function failureOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'none',
    (error: unknown) => (error instanceof ServiceError ? `${error.kind} ${error.hint}` : String(error)),
  );
}

async function searched(): Promise<object> {
  const ask = async (text: string, by?: EmbeddingModel) => {
    const answer = await client.search([root], { text, limit: 1, globs: [] }, by);
    return [answer.by, answer.hits[0]?.path];
  };
  const { indexed, filesDone } = await client.status(embeddingModel);
  return { files: indexed.files, filesDone, words: await ask('harbour'), meaning: await ask(question, embeddingModel) };
}

function write(folder: string, first: number, count: number): void {
  mkdirSync(join(root, folder), { recursive: true });
  for (let number = first; number < first + count; number++) {
    const text = Array.from({ length: 400 }, (_, line) => `line ${number * 1_000 + line} = ${(number + line) ** 7};\n`);
    writeFileSync(join(root, folder, `${number}.txt`), text.join(''));
  }
}

const scenarios: Record<string, () => Promise<object>> = {
  /** The disk takes nothing. */
  'read-only': async () => {
    // Root may write anywhere; nobody may not.
    if (uid !== undefined) process.setuid?.(Number(uid));
    const before = await searched();
    const failures = [
      await failureOf(client.index(scope, embeddingModel)),
      await failureOf(client.update(scope, [join(root, 'boats.ts')], embeddingModel)),
      await failureOf(client.plan(scope, embeddingModel)),
    ];
    return { before, failures, after: await searched() };
  },
  /** The disk gets full in the middle of a build, and has room again later. */
  full: async () => {
    await client.index(scope, embeddingModel);
    write('more', 0, 100);
    const failure = await failureOf(client.index(scope, embeddingModel));
    const before = await searched();
    spawnSync('mount', ['-o', 'remount,size=64m', directory]);
    const last = await failureOf(client.index(scope, embeddingModel));
    return { failure, before, last, after: await searched(), twice: sent.length - new Set(sent).size };
  },
  /** The disk is full when the index is opened. */
  'full before': async () => {
    await client.index(scope, embeddingModel);
    await client.close();
    write('more', 0, 10);
    try {
      for (let i = 0; ; i++) writeFileSync(join(directory, `filler${i}`), Buffer.alloc(1_024));
    } catch {
      // Now there is no room.
    }
    const before = await searched();
    sent.length = 0;
    const failure = await failureOf(client.index(scope, embeddingModel));
    return { before, failure, after: await searched(), sent: sent.length };
  },
  build: async () => ({ failure: await failureOf(client.index(scope, embeddingModel)) }),
  /** The process dies with the index open: its journals stay. */
  'build and die': async () => {
    await client.index(scope, embeddingModel);
    process.kill(process.pid, 'SIGKILL');
    return {};
  },
  /** No file may grow over a limit. */
  limited: async () => {
    write('more', 0, 100);
    const failure = await failureOf(client.index(scope, embeddingModel));
    return { failure, after: await searched() };
  },
};

const outcome = (await scenarios[scenario ?? '']?.()) ?? {};
await client.close();
console.log(JSON.stringify(outcome));

/**
 * How long a question by words takes while two windows index one folder at once, in milliseconds: `node
 * test/bench/index/twoWindows.ts [files]`, of two chunks each.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { embed } from '../../../src/service/embeddings/embeddings.ts';
import { createTestTransport, endpointOf } from '../../contract/client.ts';
import { createReferenceService } from '../../service/server.ts';

const [first = '5000', directory, root, baseUrl] = process.argv.slice(2);

if (directory !== undefined && root !== undefined && baseUrl !== undefined) await openWindow(directory, root, baseUrl);
else await measure(Number(first));

async function measure(files: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const code = join(folder, 'root');
  mkdirSync(code);
  for (let i = 0; i < files; i++) {
    const lines = Array.from({ length: 60 }, (_, n) => `export const ship${i}_${n} = (wind: number) => wind * ${n};\n`);
    writeFileSync(join(code, `f${i}.ts`), lines.join(''));
  }
  const service = await createReferenceService();
  const args = [import.meta.filename, String(files), join(folder, 'index'), code, service.baseUrl];
  const windows = [1, 2].map(() => spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  for (const said of await Promise.all(windows.map(({ stdout }) => text(stdout)))) console.log(said.trim());
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

async function openWindow(directory: string, root: string, baseUrl: string): Promise<void> {
  const search = createSearchClient(new URL('../../../src/search/worker/worker.ts', import.meta.url), directory);
  const transport = createTestTransport();
  const to = endpointOf({ baseUrl } as Parameters<typeof endpointOf>[0], 'parley-embed');
  // The first question starts the worker, whatever is built.
  const started = performance.now();
  await search.search([root], { text: 'ship', limit: 10, globs: [] }, undefined);
  const start = Math.round(performance.now() - started);
  let isOver = false;
  const build = search.index(
    { roots: [root], maxBytes: 1e6 },
    { model: to.model, embed: async (texts, signal) => (await embed(transport, to, texts, signal)).vectors },
  );
  const over = build.finally(() => {
    isOver = true;
  });
  const took: number[] = [];
  while (!isOver) {
    const asked = performance.now();
    await search.search([root], { text: `ship${took.length}`, limit: 10, globs: [] }, undefined);
    took.push(performance.now() - asked);
    await sleep(50);
  }
  const { files, chunks, embedded } = await over;
  await search.close();
  await transport.close();
  took.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(took[Math.floor((took.length - 1) * share)] ?? 0);
  const times = { start, p50: at(0.5), p95: at(0.95), longest: at(1) };
  console.log(JSON.stringify({ files, chunks, embedded, questions: took.length, ...times }));
}

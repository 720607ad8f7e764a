/**
 * What reading many files for the words leaves in memory, in MB of the process: `node test/bench/index/memory.ts [files]`. The worker
 * runs as the product has it, from its bundle (`node esbuild.mjs` makes it).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';

const files = Number(process.argv[2] ?? 12_000);
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const code = join(folder, 'root');
const endings = ['ts', 'py', 'go', 'rs', 'java', 'md', 'css', 'cpp'];
for (let i = 0; i < files; i++) {
  const lines = Array.from({ length: 60 }, (_, n) => `function ship${i}_${n}(wind) { return wind * ${n}; }\n`);
  mkdirSync(join(code, `d${i % 100}`), { recursive: true });
  writeFileSync(join(code, `d${i % 100}`, `f${i}.${endings[i % endings.length]}`), lines.join(''));
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
function tell(when: string): void {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  console.log(
    JSON.stringify({ when, rss: megabytes(process.memoryUsage().rss), peak: megabytes(Number(peak) * 1024) }),
  );
}

const script = join(import.meta.dirname, '../../../dist/parley-search.cjs');
const search = createSearchClient(script, join(folder, 'index'));
await search.status();
tell('before');
const { chunks } = await search.index({ roots: [code], maxBytes: 1e6 }, undefined);
tell(`after ${chunks} chunks`);
await sleep(3_000);
tell('a while later');
await search.search([code], { text: 'ship', limit: 10, globs: [] }, undefined);
tell('after a question');
await search.close();
await sleep(1_000);
tell('without the worker');
rmSync(folder, { recursive: true, force: true });

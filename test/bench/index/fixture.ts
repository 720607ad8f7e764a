import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Meant } from '../../../src/search/engine.ts';
import { embed } from '../../../src/service/embeddings.ts';
import { createFieldMemory } from '../../../src/service/fieldMemory.ts';
import { systemClock } from '../../../src/service/retry.ts';
import { createTransport } from '../../../src/service/undiciTransport.ts';

export const root = join(import.meta.dirname, '../../..');

export interface Folder {
  path: string;
  /** Relative paths. */
  files: string[];
  bytes: number;
  remove(): void;
}

/** Every so many lines a fork has one of its own: more than one in nearly every chunk. */
const forkEvery = 12;

/**
 * Real code out of node_modules, each text once, in a folder of its own. Where that is not enough, forks of it follow, in which
 * nearly every chunk is another text.
 */
export function copyCode(wantedBytes: number): Folder {
  const path = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const from = join(root, 'node_modules');
  const files: string[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  const write = (target: string, text: string): void => {
    mkdirSync(dirname(join(path, target)), { recursive: true });
    writeFileSync(join(path, target), text);
    files.push(target);
    bytes += Buffer.byteLength(text);
  };
  for (const name of globSync('**/*.{ts,js,mjs,cjs}', { cwd: from }).sort()) {
    if (bytes >= wantedBytes) break;
    const source = join(from, name);
    if (!statSync(source).isFile() || statSync(source).size > 500_000 || /\.min\./.test(name)) continue;
    const text = readFileSync(source, 'utf8');
    if (seen.has(text) || text.length / text.split('\n').length > 200) continue;
    seen.add(text);
    // A folder of packages would be left out by its name.
    write(name.replaceAll('node_modules', 'packages').replaceAll(/(^|\/)(dist|build|out|lib)(?=\/)/g, '$1src'), text);
  }
  const originals = [...files];
  for (let fork = 1; bytes < wantedBytes; fork++) {
    for (const name of originals) {
      if (bytes >= wantedBytes) break;
      const lines = readFileSync(join(path, name), 'utf8').split('\n');
      const forked = lines.flatMap((line, at) => (at % forkEvery === 0 ? [`// fork ${fork} of ${at}`, line] : [line]));
      write(`fork${fork}/${name}`, forked.join('\n'));
    }
  }
  return { path, files, bytes, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface BenchService {
  meant: Meant;
  counts(): Promise<{ requests: number; texts: number }>;
  close(): Promise<void>;
}

/** The service of service.ts, asked by Parley's own client. */
export async function startService(limit = 2048): Promise<BenchService> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service.ts')], {
    env: { ...process.env, PARLEY_BENCH_LIMIT: String(limit) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await firstLine(child);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const transport = createTransport({ clock: systemClock });
  const memory = createFieldMemory();
  const endpoint = { baseUrl, model: 'bench' };
  return {
    meant: {
      model: endpoint.model,
      embed: async (texts, signal) => (await embed(transport, endpoint, texts, signal, { memory })).vectors,
      learn: (size) => memory.setBatchSize(baseUrl, endpoint.model, size),
    },
    counts: async () => (await fetch(baseUrl)).json() as Promise<{ requests: number; texts: number }>,
    async close() {
      await transport.close();
      child.kill();
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The service has no output.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The service did not start.');
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/base/clock.ts';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createFieldMemory } from '../../../src/service/compat/fieldMemory.ts';
import { embed } from '../../../src/service/embeddings/embeddings.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';

export const root = join(import.meta.dirname, '../../..');

export interface Folder {
  path: string;
  /** Relative paths. */
  files: string[];
  bytes: number;
  remove(): void;
}

/** Real code of about this many bytes (code.ts). */
export function copyCode(bytes: number): Folder {
  const args = [join(import.meta.dirname, 'code.ts'), String(bytes)];
  const made = JSON.parse(execFileSync(process.execPath, args, { maxBuffer: 2 ** 26 }).toString()) as Omit<
    Folder,
    'remove'
  >;
  return { ...made, remove: () => rmSync(made.path, { recursive: true, force: true }) };
}

/** As many files of one line, each another. */
export function smallFolder(files: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  for (let i = 0; i < files; i++) writeFileSync(join(folder, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  return folder;
}

/** What a service does with requests: all that a real one does as well. */
export interface Manners {
  /** Texts that a request may have; one with more is refused. */
  limit?: number;
  /** Every third request is refused for coming too fast. */
  thirdRefused?: boolean;
  /** Vectors come last first. */
  reversed?: boolean;
}

export interface BenchService {
  embeddingModel: EmbeddingModel;
  /** `rateLimited`: the requests that were refused for coming too fast; `texts`: those that got a vector. */
  counts(): Promise<{ requests: number; rateLimited: number; texts: number }>;
  close(): Promise<void>;
}

/** The service of service.ts, asked by Parley's own client. */
export async function startService(manners: Manners = {}): Promise<BenchService> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service.ts'), JSON.stringify(manners)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await firstLine(child);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const transport = createTransport({ clock: systemClock });
  const memory = createFieldMemory();
  const endpoint = { baseUrl, model: 'bench' };
  return {
    embeddingModel: {
      model: endpoint.model,
      embed: async (texts, signal) => (await embed(transport, endpoint, texts, signal, { memory })).vectors,
      learn: (size) => memory.setBatchSize(baseUrl, endpoint.model, size),
    },
    counts: async () => (await fetch(baseUrl)).json() as ReturnType<BenchService['counts']>,
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

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Answer } from './askIndex.ts';
import { dimensions } from './vectors.ts';

/** Where the bundles are, once there was something to ask. */
let bundled: string | undefined;

/**
 * Asks an index all questions, each in so many rounds. The code is bundled, as in the extension: to strip types takes time
 * and memory that nobody has to spend there.
 * @param files look only in so many, the first ones; in all when 0
 */
export function ask(
  directory: string,
  questions: readonly Float32Array[],
  k: number,
  { rounds, files = 0 }: { rounds: number; files?: number },
): Answer {
  const file = `${directory}.questions`;
  writeFileSync(file, Buffer.concat(questions.map((question) => new Uint8Array(question.buffer))));
  bundled ??= bundle(dirname(directory));
  const numbers = [dimensions, k, rounds, files].map(String);
  const args = [join(bundled, 'askIndex.mjs'), directory, file, ...numbers];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })) as Answer;
}

function bundle(folder: string): string {
  buildSync({
    entryPoints: ['askIndex.ts', 'nearestWorker.ts'].map((name) => join(import.meta.dirname, name)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
  });
  return folder;
}

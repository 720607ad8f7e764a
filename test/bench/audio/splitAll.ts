/**
 * Splits one recording in a process of its own and says what it took, as JSON: `node splitAll.ts SCRIPT FILE FORMAT FOLDER MOST_BYTES`.
 * The thread runs as the product has it, from its bundle.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AudioFormat } from '../../../src/audio/recording/formats.ts';
import { createSplitter } from '../../../src/audio/split/splitter.ts';

/** What splitting took, and what came of it. */
export interface Split {
  /** The most memory that the process had more than before, in MB. */
  growth: number;
  seconds: number;
  /** Start and end of the sound, in seconds. */
  start: number;
  end: number;
  pieces: { path: string; bytes: number; start: number; end: number; from: number; to: number }[];
}

const megabyte = 1024 * 1024;
const peak = (): number =>
  (Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024) / megabyte;

if (import.meta.main) {
  const [script = '', path = '', name = '', folder = '', mostBytes = ''] = process.argv.slice(2);
  const { signal } = new AbortController();
  const before = process.memoryUsage().rss / megabyte;
  const began = performance.now();
  const all = createSplitter(script);
  const splitter = all.of(path, { name: name as AudioFormat['name'] });
  const { start, end, form } = await splitter.open({ signal });
  const pieces: Split['pieces'] = [];
  for (const piece of await splitter.plan({ mostBytes: Number(mostBytes), signal })) {
    const target = join(folder, `piece${piece.index}.${form.extension}`);
    const { bytes } = await splitter.write(piece, target, { signal });
    pieces.push({ path: target, bytes, start: piece.start, end: piece.end, from: piece.from, to: piece.to });
  }
  await splitter.close();
  all.dispose();
  const split: Split = { growth: peak() - before, seconds: (performance.now() - began) / 1000, start, end, pieces };
  console.log(JSON.stringify(split));
}

/**
 * A process that builds an index and says after each batch how many texts are stored. With `whole` it ends by itself; else it is to
 * be killed: the last 200 of 1,000 never come.
 */
import { writeSync } from 'node:fs';
import { createEngine } from '../../src/search/engine.ts';

const [directory = '', root = '', whole] = process.argv.slice(2);
let asked = 0;
const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
  asked += texts.length;
  if (whole === undefined && asked > 800) await new Promise((resolve) => setTimeout(resolve, 1e9));
  return texts.map((text) => Float32Array.of(text.length, 1, 1, 1));
};
await createEngine(directory).index(
  { roots: [root], maxBytes: 1024 * 1024 },
  { model: 'm', embed },
  new AbortController().signal,
  (progress) => {
    if (progress.phase === 'embedding') writeSync(1, `${progress.chunks}\n`);
  },
);

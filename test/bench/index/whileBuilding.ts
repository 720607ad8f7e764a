import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import type { Row } from '../row.ts';
import { type BenchService, copyCode, root } from './fixture.ts';
import { most, row } from './rows.ts';

/** Between an answer and the next question, in milliseconds. */
const pause = 20;

/** How long the slowest of the searches by words takes that are asked while an index of so many bytes is built. */
export async function askWhileBuilding(service: BenchService, bytes: number): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-index-'));
  const client = createSearchClient(join(root, 'dist/parley-search.cjs'), directory);
  const code = copyCode(bytes);
  try {
    const built = new AbortController();
    const building = client
      .index({ roots: [code.path], maxBytes: 1e6 }, service.embeddingModel)
      .finally(() => built.abort());
    let longest = 0;
    while (!built.signal.aborted) {
      const asked = performance.now();
      await client.search([code.path], { text: 'parse a header', limit: 10, globs: [] }, undefined);
      longest = Math.max(longest, performance.now() - asked);
      await sleep(pause);
    }
    await building;
    return [row('while an index is built: a search by words, at most', longest, 'ms', most(300))];
  } finally {
    await client.close();
    code.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

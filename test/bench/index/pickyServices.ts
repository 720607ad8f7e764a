import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import type { Row } from '../row.ts';
import { type Manners, root, smallFolder, startService } from './fixture.ts';
import { numbersAt, placeOf } from './pool.ts';
import { most, row } from './rows.ts';

const ideal = 50;
/** 15 % more. */
const allowed = 57;

const services: readonly (readonly [what: string, texts: number, manners: Manners])[] = [
  ['at most 10 texts a request', 10, { limit: 10 }],
  ['at most 32 texts a request', 32, { limit: 32 }],
  ['every third request refused', 128, { thirdRefused: true }],
  ['vectors last first', 128, { reversed: true }],
];

/** What services cost that take few texts at once, refuse requests for a while, or give vectors in another order. */
export async function indexAtPickyServices(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, texts, manners] of services) {
    const { requests, wrong } = await indexAt(manners, texts * ideal);
    rows.push(
      row(
        `${what}: requests answered or refused for their size, for an ideal ${ideal}`,
        requests,
        'requests',
        most(allowed),
      ),
    );
    rows.push(row(`${what}: vectors of another text`, wrong, 'vectors', most(0)));
  }
  return rows;
}

async function indexAt(manners: Manners, files: number): Promise<{ requests: number; wrong: number }> {
  const service = await startService(manners);
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-index-'));
  const folder = smallFolder(files);
  const client = createSearchClient(join(root, 'dist/parley-search.cjs'), directory);
  let wrong = 0;
  const embed = async (inputs: readonly string[], signal: AbortSignal) => {
    const vectors = await service.embeddingModel.embed(inputs, signal);
    wrong += inputs.filter(
      (text, i) => String(vectors[i]) !== Float32Array.from(numbersAt(placeOf(text)), Number).toString(),
    ).length;
    return vectors;
  };
  try {
    const { embedded } = await client.index({ roots: [folder], maxBytes: 1e6 }, { ...service.embeddingModel, embed });
    if (embedded !== files) throw new Error(`${embedded} of ${files} chunks were embedded.`);
    const { requests, rateLimited } = await service.counts();
    return { requests: requests - rateLimited, wrong };
  } finally {
    await client.close();
    await service.close();
    for (const path of [directory, folder]) rmSync(path, { recursive: true, force: true });
  }
}

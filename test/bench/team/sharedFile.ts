import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../../src/search/engine.ts';
import { ownScope } from '../../../src/search/registry/folderIndex.ts';
import { copyCode } from '../index/fixture.ts';
import { type Row, toRow } from '../row.ts';

const dimensions = 1_024;
const never = new AbortController().signal;

/** A second clone that takes its vectors from a shared file: how long that is, and what it still asks the service for. */
export async function sharedFileRows(tell: (text: string) => void): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-shared-'));
  const code = copyCode(104e6);
  const [first, second, file] = ['first', 'second', 'shared.parley-index'].map((name) => join(data, name)) as [
    string,
    string,
    string,
  ];
  const scope = { ...ownScope, roots: [code.path] };
  try {
    let requests = 0;
    const model = standIn(() => requests++);
    tell(`team: reading ${code.files.length} files`);
    let engine = createEngine(first);
    await engine.plan(scope, undefined, never, () => undefined);
    engine.close();
    // Both clones have read their files: the texts are the same, and one has the vectors.
    cpSync(first, second, { recursive: true });
    engine = createEngine(first);
    await engine.index(scope, model, never, () => undefined);
    const started = performance.now();
    const { vectors } = await engine.exportVectors(model, file, never);
    const exported = performance.now() - started;
    engine.close();
    tell(`team: a shared file of ${vectors} vectors, ${Math.round(statSync(file).size / 1e6)} MB`);

    const hashed = timeOf(() => createHash('sha256').update(readFileSync(file)).digest());
    requests = 0;
    engine = createEngine(second);
    const from = performance.now();
    const { taken } = await engine.importVectors({ path: file, source: model }, never, () => undefined);
    const imported = performance.now() - from;
    await engine.index(scope, model, never, () => undefined);
    engine.close();
    const bench = 'team';
    return [
      toRow({
        bench,
        metric: `shared file: export of ${vectors} vectors of ${dimensions} numbers`,
        value: exported / 1000,
        unit: 's',
      }),
      toRow({
        ...{ bench, metric: `shared file: import of ${taken} chunks, checked`, value: imported / 1000, unit: 's' },
        ...{
          goal: { of: 'value', is: '<=', bound: 5 },
          peer: { name: 'SHA-256 of the file alone', value: hashed / 1000 },
        },
      }),
      toRow({
        ...{
          bench,
          metric: 'second clone with the file: requests for unchanged chunks',
          value: requests,
          unit: 'requests',
        },
        ...{ goal: { of: 'value', is: '<=', bound: 0 } },
      }),
    ];
  } finally {
    code.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** A model that gives every text a vector of its own, at once. */
function standIn(onRequest: () => void): EmbeddingModel {
  return {
    ...{ model: 'stand-in', url: 'https://a.example/v1', origin: 'https://a.example', batchSize: { taken: 256 } },
    async embed(texts) {
      onRequest();
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        let state = createHash('sha256').update(text).digest().readUInt32LE(0) | 1;
        for (let at = 0; at < dimensions; at++) {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
          vector[at] = state / 2 ** 31;
        }
        return vector;
      });
    },
  };
}

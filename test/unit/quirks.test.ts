import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { corpus } from '../corpus/all.ts';

/** Rows of the quirk table that concern chat, embeddings, the transport or errors; 47 and 51 to 53 are about splitting audio. */
const rows = [...range(1, 46), ...range(48, 50), ...range(54, 58)];

test('every known quirk of services has a test by its number', () => {
  const files = globSync('test/{unit,contract,host/suites}/*.test.ts', { cwd: join(import.meta.dirname, '../..') });
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/quirk (\d+)/g)].map(([, number]) => Number(number)),
  );
  const tested = new Set([...named, ...corpus.flatMap((each) => each.quirks ?? [])]);
  assert.deepEqual(
    rows.filter((row) => !tested.has(row)),
    [],
  );
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

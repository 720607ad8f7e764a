import assert from 'node:assert/strict';
import { test } from 'node:test';
import { properties } from '../../properties/service.ts';
import { watch } from '../../properties/watch.ts';

/** `node test/fuzz.ts 1000000 SEED` does the same with more inputs. */
const seed = 20_261_121;

for (const [name, { runs }] of Object.entries(properties)) {
  test(`${name} (${runs} inputs, seed ${seed})`, async () => {
    assert.equal(await watch({ name, runs, seed }), undefined);
  });
}

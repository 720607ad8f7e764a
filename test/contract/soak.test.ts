import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSoak } from '../soak/soak.ts';

test('of 300 requests, 50 at once and a fifth with faults, each ends and nothing is left', async () => {
  const { problems, outcomes } = await runSoak({ requests: 300, atOnce: 50, seed: 7 });
  assert.deepEqual(problems, []);
  assert.ok(outcomes.size > 10);
});

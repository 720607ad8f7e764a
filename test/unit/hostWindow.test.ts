import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWindow } from '../host/run.ts';
import { temporaryFolder } from '../support/searchFolder.ts';

test('a VS Code that is tested records its indexes beside its state, and not in the list of this machine', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = temporaryFolder(t);
  const [program, seen] = [join(folder, 'code'), join(folder, 'seen.json')];
  // It stands for a desktop VS Code, and ends before any suite begins.
  const writes = `require('fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
  writeFileSync(program, `#!${process.execPath}\n${writes};\n`);
  chmodSync(program, 0o700);
  t.mock.method(console, 'log', () => undefined);
  t.mock.method(console, 'error', () => undefined);
  const env = { PARLEY_TEST_HANDS: 'here' };
  const counts = await runWindow({ window: 'search', folder, vscodeExecutablePath: program, env });
  assert.deepEqual(counts, { passed: 0, failed: 1 });
  const given = JSON.parse(readFileSync(seen, 'utf8')) as Record<string, string>;
  assert.equal(given['PARLEY_DATA_DIR'], join(given['PARLEY_TEST_DATA'] ?? '', 'parley'));
  assert.equal(given['PARLEY_TEST_HANDS'], 'here');
});

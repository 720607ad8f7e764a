import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { beginSuiteJournal, readSuiteResult, writeSuiteEvent } from '../host/suiteJournal.ts';

test('a suite that is ended says which tests had passed, which failed and which never ran', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tests.jsonl');
  assert.equal(readSuiteResult(file), undefined, 'it did not begin');
  beginSuiteJournal(file, ['first', 'second', 'twice', 'twice', 'last']);
  writeSuiteEvent(file, 'passed', 'first');
  writeSuiteEvent(file, 'failed', 'second');
  writeSuiteEvent(file, 'passed', 'twice');
  // Ended while it wrote.
  appendFileSync(file, '["pass');
  const { passed, failed, neverRan } = readSuiteResult(file) ?? assert.fail();
  assert.deepEqual(
    { passed, failed, neverRan },
    { passed: ['first', 'twice'], failed: ['second'], neverRan: ['twice', 'last'] },
  );
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRows, root, runs, whyNotRun } from '../support/namedTests.ts';

test('each defect that was mended has a test by the name that the table gives it', () => {
  const rows = readRows('test/defects.md', /^B?\d/);
  assert.deepEqual(
    rows.filter((cells) => cells.length !== 4),
    [],
    'each row has four cells',
  );
  const faults = rows.map(([number, , title = '', file = '']) => [number, whyNotRun(file, title)]);
  assert.deepEqual(
    faults.filter(([, fault]) => fault !== undefined),
    [],
  );
});

test('each public report that was tried has a test, unless it is left', () => {
  const rows = readRows('test/corpus/REPORTS.md', /^[\w.-]+\/[\w.-]+#\d/);
  assert.ok(rows.length > 0);
  const faults = rows.map(([report, , right, title = '', file = '']) => [
    report,
    right === 'no, left' ? undefined : whyNotRun(file, title),
  ]);
  assert.deepEqual(
    faults.filter(([, fault]) => fault !== undefined),
    [],
  );
});

test('a test that is skipped, left to do, commented out or in no short form proves nothing', () => {
  for (const text of [
    "test('the title', async () => {",
    "  test('the title', { timeout: 1 }, () => {",
    "it('the title', { skip: process.platform === 'win32' }, () => {",
    "it(\n  'the title',\n  () => {",
    "{ name: 'the title', body }",
    "interface Case {\n  short?: true;\n}\n{ name: 'the title', body, short: true },\n{ name: 'another', body }",
  ])
    assert.ok(runs(text, 'the title'), text);
  for (const text of [
    "test('the title of another', () => {",
    "test.skip('the title', () => {",
    "it.todo('the title');",
    "test('the title', { skip: true }, () => {",
    "test('the title', { timeout: 1, todo: 'later' }, () => {",
    "// test('the title', () => {",
    "/*\ntest('the title', () => {\n*/",
    "describe.skip('all', () => {\n  test('the title', () => {",
    "interface Case {\n  short?: true;\n}\n{ name: 'the title', body },\n{ name: 'another', body, short: true }",
    "test('the title', () => {});\ntest.only('another', () => {",
  ])
    assert.ok(!runs(text, 'the title'), text);
});

test('no test asserts a time by the clock', () => {
  const files = globSync('test/{unit,contract,ui,attack,host/suites}/**/*.ts', { cwd: root });
  const asserting = files.filter((file) =>
    /assert[^;]*(?:performance\.now|Date\.now|hrtime|threadCpuUsage)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(asserting, []);
});

test('no test has a time limit of its own: one for all ends what hangs, on any machine', () => {
  const files = globSync('test/{unit,contract,ui,attack}/**/*.test.ts', { cwd: root });
  const limited = files.filter((file) =>
    /^ *(?:it|test)\((?:`[^`]*`|'[^']*'|"[^"]*"),\s*\{\s*timeout:/m.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(limited, []);
});

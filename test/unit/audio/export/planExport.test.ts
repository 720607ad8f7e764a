import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planExport } from '../../../../src/audio/export/planExport.ts';

const paths = (targets: readonly { path: string }[]): string[] => targets.map(({ path }) => path);

test('of many files, those that are there are told from those to write, and two at one place are told apart', () => {
  const targets = ['/a.srt', '/b.srt', '/A.SRT', '/caf\u00e9.srt', '/cafe\u0301.srt', '/b.srt'];
  const asked: string[] = [];
  const plan = planExport(
    targets.map((path, source) => ({ source, path })),
    (path) => {
      asked.push(path);
      return path === '/b.srt';
    },
  );
  assert.deepEqual(paths(plan.open), ['/a.srt', '/caf\u00e9.srt']);
  assert.deepEqual(paths(plan.done), ['/b.srt']);
  assert.deepEqual(
    plan.clashing.map(({ source }) => source),
    [2, 4, 5],
  );
  assert.deepEqual(asked, ['/a.srt', '/b.srt', '/caf\u00e9.srt']);
});

test('all are written again when none is taken to be there', () => {
  assert.deepEqual(paths(planExport([{ source: 0, path: '/a.srt' }], () => false).open), ['/a.srt']);
});

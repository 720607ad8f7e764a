import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { applyPatch, createTwoFilesPatch, Diff, FILE_HEADERS_ONLY } from 'diff';
import { linePatch } from '../../../src/workspace/git/linePatch.ts';

const names = ['a/a.ts', 'b/a.ts'] as const;
const enough = { lines: 6_000 };

/** So many lines, none of which is in the lines of another name. */
const textOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `${name} ${line}\n`).join('');

/** The most steps that a comparison takes before others have their turn: each follows lines that two texts have in common. */
function countSteps(t: TestContext): { most(): number } {
  let [most, steps] = [0, 0];
  // @ts-expect-error a member that the types leave out
  const extractCommon: (...args: unknown[]) => number = Diff.prototype.extractCommon;
  Object.assign(Diff.prototype, {
    extractCommon(this: unknown, ...args: unknown[]) {
      most = Math.max(most, ++steps);
      return extractCommon.apply(this, args);
    },
  });
  let timer: NodeJS.Immediate;
  const begin = (): void => {
    steps = 0;
    timer = setImmediate(begin);
  };
  begin();
  t.after(() => {
    clearImmediate(timer);
    Object.assign(Diff.prototype, { extractCommon });
  });
  return { most: () => most };
}

test('long texts in which all differs are compared in turns of bounded work, and are one change', async (t) => {
  const steps = countSteps(t);
  const budget = { lines: 500 };
  const before = `first\n${textOf('old', 5_000)}last\n`;
  const after = `first\n${textOf('new', 5_000)}last\n`;
  const patch = await linePatch(names, before, after, budget);
  assert.ok(steps.most() > 0 && steps.most() <= 25_000, `${steps.most()} steps`);
  assert.match(patch, /^--- a\/a\.ts\n\+\+\+ b\/a\.ts\n@@ -1,5002 \+1,5002 @@\n first\n-old 0\n/);
  assert.equal(applyPatch(before, patch), after);
  assert.equal(budget.lines, 0);
  // The next one has no turns left.
  assert.equal(applyPatch(before, await linePatch(names, before, after, budget)), after);
  assert.equal(budget.lines, 0);
});

test('some hundred lines that differ among others are compared exactly, and what they took is counted', async () => {
  const budget = { lines: 1_000 };
  const before = textOf('line', 2_000);
  const after = before.replaceAll(/^line (\d+5)$/gm, 'changed $1');
  const patch = await linePatch(names, before, after, budget);
  assert.equal(patch.match(/^@@/gm)?.length, 199);
  assert.equal(applyPatch(before, patch), after);
  assert.equal(budget.lines, 1_000 - 2 * 199);
});

test('a change in one place is written as a comparison writes it', async () => {
  const of = (...lines: string[]): string => lines.join('\n');
  for (const [before, after] of [
    ['', of('a', 'b', '')],
    [of('a', 'b'), ''],
    [of('a', 'b'), of('a', 'b', '')],
    [of('1', '2', '3', '4', '5', '6', '7', '8', ''), of('1', '2', '3', '4', 'new', '5', '6', '7', '8', '')],
    [of('1', '2', '3', '4', '5', '6', '7', '8'), of('1', '2', '3', '5', '6', '7', '8')],
    [of('a', 'b'), of('a', 'b', 'c')],
  ] as const) {
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
    const expected = createTwoFilesPatch(...names, before, after, undefined, undefined, options);
    assert.equal(await linePatch(names, before, after, enough), expected);
  }
});

test('a file of many lines that is new costs no comparison', async (t) => {
  const steps = countSteps(t);
  const patch = await linePatch(names, '', textOf('new', 50_000), enough);
  assert.match(patch, /@@ -0,0 \+1,50000 @@\n/);
  assert.equal(steps.most(), 0);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyLineEdits, type LineEdit } from '../../../src/edits/place/lines/lineEdit.ts';
import { refineEdits } from '../../../src/edits/refineEdits.ts';

const line = fc.constantFrom('', 'one();', 'two();', '  }', '} else {', 'end', 'three();');
const lines = fc.array(line, { maxLength: 16 });

const whole = (before: readonly string[], after: readonly string[]): LineEdit[] => [
  { line: 0, removed: before.length, inserted: after },
];
/** The lines that each change removes and inserts. */
const changes = (before: readonly string[], after: readonly string[]) =>
  refineEdits(before, whole(before, after)).map((edit) => [
    before.slice(edit.line, edit.line + edit.removed),
    edit.inserted,
  ]);

describe('the changes of a file', () => {
  it('make the same text as before they were taken apart, and any of them only lines of either text', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(), (before, after, choice) => {
        const edits = refineEdits(before, whole(before, after));
        assert.deepEqual(applyLineEdits(before, edits), after);
        const some = edits.filter((_, at) => (choice >> at) % 2 === 1);
        const either = new Set<string>([...before, ...after]);
        assert.ok(applyLineEdits(before, some).every((each) => either.has(each)));
        for (const [at, { line: from, removed }] of edits.entries())
          assert.ok(from + removed < (edits[at + 1]?.line ?? Number.POSITIVE_INFINITY), 'a line stays between two');
      }),
      { numRuns: 500 },
    );
  });

  it('are the same when they are taken apart again', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = refineEdits(before, whole(before, after));
        assert.deepEqual(applyLineEdits(before, refineEdits(before, edits)), after);
      }),
    );
  });

  for (const between of [
    ['}'],
    ['  });'],
    [''],
    ['  }', '', ''],
    ['} else {'],
    ['else:'],
    ['end'],
    ['  fi'],
    ['try {'],
    ['</div>'],
    ['#endif'],
  ])
    it(`are one around ${JSON.stringify(between)}`, () => {
      const before = ['if (a) {', ...between, 'one();'];
      const after = ['if (b) {', ...between, 'two();'];
      assert.deepEqual(changes(before, after), [[before, after]]);
    });

  for (const between of [
    ['keep();'],
    ['}', 'function next() {', ''],
    ['} else if (c) {'],
    ['return;'],
    ['x = 1'],
    ['* a'],
  ])
    it(`are two around ${JSON.stringify(between)}`, () => {
      const [before, after] = [
        ['one();', ...between, 'two();'],
        ['ONE();', ...between, 'TWO();'],
      ];
      assert.deepEqual(changes(before, after), [
        [['one();'], ['ONE();']],
        [['two();'], ['TWO();']],
      ]);
    });

  it('are one where one is the other bracket of the other', () => {
    const [plain, inTry] = [['work();'], ['try {', 'work();', '} catch {', '}']];
    assert.deepEqual(changes(plain, inTry), [[plain, inTry]]);
    assert.deepEqual(changes(inTry, plain), [[inTry, plain]]);
    const nested = (open: string, close: string) => [open, 'one();', 'keep();', 'two();', close];
    const [before, after] = [nested('{', '}'), nested('while (true) {{', '}}')];
    assert.deepEqual(changes(before, after), [[before, after]]);
  });

  it('are two where each has its own brackets, where neither is only a bracket, and where the other is far', () => {
    const count = (before: string[], after: string[]): number => changes(before, after).length;
    assert.equal(count(['keep();'], ['{', '}', 'keep();', '{', '}']), 2);
    assert.equal(count(['one(', 'keep();', 'two)'], ['ONE((', 'keep();', 'TWO))']), 2);
    const far = Array.from({ length: 30 }, (_, at) => `line${at}();`);
    assert.equal(count(far, ['{', ...far, '}']), 2);
  });

  it('stand by themselves where very many blank lines are between them', () => {
    const blank = Array.from({ length: 20 }, () => '');
    assert.equal(changes(['a', ...blank, 'b'], ['A', ...blank, 'B']).length, 2);
  });
});

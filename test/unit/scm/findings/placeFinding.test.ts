import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { readChangedFiles } from '../../../../src/scm/findings/changedFiles.ts';
import { placeFinding } from '../../../../src/scm/findings/placeFinding.ts';
import { shiftLines } from '../../../../src/scm/findings/shiftLines.ts';
import { fileWith } from './files.ts';

describe('the place of a finding', () => {
  // Hunks of lines 7 to 13 and 47 to 53.
  const file = fileWith('a.ts', 100, [10, 50]);
  const at = (first: number, last = first) => placeFinding(file, { first, last });
  const whole = { first: 10, last: 10, isWholeFile: true };

  it('is where it says, within a hunk', () => {
    assert.deepEqual(at(8, 12), { first: 8, last: 12, isWholeFile: false });
    assert.deepEqual(at(12, 8), { first: 8, last: 12, isWholeFile: false });
    assert.deepEqual(at(50, 80), { first: 50, last: 53, isWholeFile: false });
  });

  it('is the nearest line of a hunk within three lines', () => {
    assert.deepEqual(at(4), { first: 7, last: 7, isWholeFile: false });
    assert.deepEqual(at(16), { first: 13, last: 13, isWholeFile: false });
    assert.deepEqual(at(55, 60), { first: 53, last: 53, isWholeFile: false });
  });

  it('is the whole file elsewhere, which stands at its first change', () => {
    assert.deepEqual(at(17), whole);
    assert.deepEqual(at(0, 3), whole);
    assert.deepEqual(at(9_999_999), whole);
    assert.deepEqual(placeFinding(file, undefined), whole);
  });
});

describe('lines of what is staged', () => {
  it('are found in the file as it is now', () => {
    const line = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(line), fc.array(line), (kept, above, below) => {
        // What stays is unlike all else, so that it can only be found in one place.
        const old = [...above, 'X', ...kept, 'Y', ...below].map((each) => `${each}\n`);
        const now = ['new', 'X', ...kept, 'Y', 'newer', 'newest'].map((each) => `${each}\n`);
        const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
        const patch = createTwoFilesPatch('a/f', 'b/f', old.join(''), now.join(''), undefined, undefined, options);
        const hunks = readChangedFiles(patch ?? '')[0]?.hunks ?? [];
        const shifted = shiftLines({ first: above.length + 1, last: above.length + 2 + kept.length }, hunks);
        assert.equal(now[shifted.first - 1], 'X\n');
        assert.equal(now[shifted.last - 1], 'Y\n');
      }),
    );
  });

  it('stay on the file where they were removed', () => {
    const old = '1\n2\n3\n';
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
    const patch = createTwoFilesPatch('a/f', 'b/f', old, '1\n', undefined, undefined, options);
    const hunks = readChangedFiles(patch ?? '')[0]?.hunks ?? [];
    assert.deepEqual(shiftLines({ first: 2, last: 3 }, hunks), { first: 1, last: 1 });
  });
});

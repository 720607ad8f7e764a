import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLines, findNearLines } from '../../../../src/edits/place/lines/findLines.ts';
import { isBlank, normalised, similarity } from '../../../../src/edits/place/lines/lineText.ts';

/** The first lines of all places, by a look at every line of the file. */
function startsByEveryLine(file: readonly string[], old: readonly string[]): number[] {
  const starts = file.map((_, at) => at);
  const isThere = (key: (line: string) => string) => (start: number) =>
    start + old.length <= file.length && old.every((line, at) => key(line) === key(file[start + at] ?? ''));
  for (const key of [(line: string) => line, (line: string) => line.trimEnd()]) {
    const exact = starts.filter(isThere(key));
    if (exact.length > 0) return exact;
  }
  const wanted = old.filter((line) => !isBlank(line)).map(normalised);
  const written = starts.filter((at) => !isBlank(file[at] ?? ''));
  const likeness = (at: number): number[] =>
    wanted.map((line, index) => similarity(line, file[written[at + index] ?? -1] ?? ''));
  const fits = (isFit: (each: readonly number[]) => boolean): number[] =>
    written.filter((_, at) => at + wanted.length <= written.length && isFit(likeness(at)));
  const same = fits((each) => each.every((value) => value === 1));
  if (same.length > 0 || wanted.length < 2) return same;
  return fits(
    (each) =>
      each.filter((value) => value === 1).length >= each.length * 0.6 &&
      each.reduce((sum, value) => sum + value, 0) / each.length >= 0.9 &&
      Math.min(...each) >= 0.55,
  );
}

describe('finding lines', () => {
  const line = fc.constantFrom(
    ...['', '  ', '}', '  }', 'one(a, b);', '  one(a, b);', '\tone(a,  b); ', 'one(a, c);', 'two “x”', 'two "x"'],
  );
  const change = fc.tuple(fc.nat(7), line);

  it('finds the places that a look at every line finds', () => {
    const found = { none: 0, one: 0, several: 0 };
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.nat(29),
        fc.array(change, { maxLength: 2 }),
        (file, from, changes) => {
          const old = file.slice(from % file.length).slice(0, 8);
          for (const [at, other] of changes) if (at < old.length) old[at] = other;
          fc.pre(!old.every(isBlank));
          // Lines that agree in white space alone may be taken for one another where not all are shifted alike.
          const slow = startsByEveryLine(file, old);
          const exact = findLines(file, old);
          const starts = (exact.length > 0 ? exact : findNearLines(file, old)).map(({ start }) => start);
          assert.ok(starts.every((start) => slow.includes(start)));
          assert.equal(starts.length > 0, slow.length > 0);
          found[starts.length === 0 ? 'none' : starts.length === 1 ? 'one' : 'several'] += 1;
        },
      ),
    );
    assert.ok(Math.min(...Object.values(found)) > 0, JSON.stringify(found));
  });
});

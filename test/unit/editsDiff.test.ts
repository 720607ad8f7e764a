import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffHunks, diffRuns, type Hunk, hunkToChange, removedParts } from '../../src/edits/diff.ts';
import { followLines, splitLines, type TextChange, widenToLines } from '../../src/edits/lines.ts';

const line = fc.constantFrom('', 'a', 'b', '  c', '\td', '}');
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const maybeLines = fc.array(line, { maxLength: 12 });
const eol = fc.constantFrom('\n', '\r\n');

/** Changes a text as an editor does: all positions are those of the text before. */
function applyChanges(text: string, ending: string, changes: readonly TextChange[]): string {
  const starts = [0];
  for (const each of text.split(ending)) starts.push((starts.at(-1) ?? 0) + each.length + ending.length);
  const offset = ({ line: at, character }: { line: number; character: number }) => (starts[at] ?? 0) + character;
  return changes.reduceRight(
    (changed, change) => changed.slice(0, offset(change.start)) + change.text + changed.slice(offset(change.end)),
    text,
  );
}

function toChanges(document: readonly string[], first: number, ending: string, hunks: readonly Hunk[]): TextChange[] {
  const source = { eol: ending, lineCount: document.length, lengthOf: (at: number) => document[at]?.length ?? 0 };
  return hunks.map((hunk) => hunkToChange(hunk, first, source));
}

describe('the difference of two texts', () => {
  it('is made of runs that contain the old and the new text', () => {
    fc.assert(
      fc.property(maybeLines, maybeLines, (before, after) => {
        const runs = diffRuns(before, after);
        const linesOf = (other: string) => runs.filter(({ kind }) => kind !== other).flatMap((run) => run.lines);
        assert.deepEqual(linesOf('inserted'), before);
        assert.deepEqual(linesOf('removed'), after);
        for (const run of runs) {
          const text = run.kind === 'inserted' ? after : before;
          const at = run.kind === 'inserted' ? run.newLine : run.oldLine;
          assert.deepEqual(text.slice(at, at + run.lines.length), run.lines);
        }
      }),
    );
  });

  it('applied to the old text gives the new text, with LF and with CRLF, anywhere in a document', () => {
    fc.assert(
      fc.property(maybeLines, lines, maybeLines, maybeLines, eol, (above, before, below, after, ending) => {
        const document = [...above, ...before, ...below];
        const changes = toChanges(document, above.length, ending, diffHunks(before, after));
        const expected = [...above, ...after, ...below].join(ending);
        assert.equal(applyChanges(document.join(ending), ending, changes), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('has changes that do not overlap, in order', () => {
    fc.assert(
      fc.property(maybeLines, lines, maybeLines, maybeLines, (above, before, below, after) => {
        const changes = toChanges([...above, ...before, ...below], above.length, '\n', diffHunks(before, after));
        for (const [index, change] of changes.entries()) {
          const next = changes[index + 1];
          if (next === undefined) continue;
          const isBefore =
            change.end.line < next.start.line ||
            (change.end.line === next.start.line && change.end.character <= next.start.character);
          assert.ok(isBefore, JSON.stringify([change, next]));
        }
      }),
    );
  });

  it('is empty for the same text', () => {
    fc.assert(fc.property(lines, (same) => assert.deepEqual(diffHunks(same, same), [])));
  });

  it('names one changed line with the lines before and after it left alone', () => {
    assert.deepEqual(diffHunks(['a', 'old', 'c'], ['a', 'new', 'c']), [
      { line: 1, removed: ['old'], inserted: ['new'] },
    ]);
  });

  it('gives up on the exact difference of very long texts that have nothing in common', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`);
    const after = Array.from({ length: 3000 }, (_, at) => `new ${at}`);
    assert.deepEqual(diffHunks(before, after), [{ line: 0, removed: before, inserted: after }]);
  });

  it('marks the words of a line that are gone', () => {
    assert.deepEqual(removedParts('let total = 1;', 'let sum = 1;'), [[4, 9]]);
    assert.deepEqual(removedParts('same', 'same'), []);
  });
});

describe('the lines of a selection', () => {
  it('are whole lines, without a line that the selection only reaches', () => {
    const at = (lineNumber: number, character: number) => ({ line: lineNumber, character });
    assert.deepEqual(widenToLines(at(2, 3), at(4, 1)), { first: 2, last: 4 });
    assert.deepEqual(widenToLines(at(2, 0), at(4, 0)), { first: 2, last: 3 });
    assert.deepEqual(widenToLines(at(2, 0), at(2, 0)), { first: 2, last: 2 });
  });

  it('are found again after any change above or below them', () => {
    const insertion = fc.record({ at: fc.nat(), lines });
    fc.assert(
      fc.property(
        lines,
        lines,
        lines,
        insertion,
        fc.boolean(),
        (above, selected, below, { at, lines: added }, isAbove) => {
          const document = [...above, ...selected, ...below];
          const range = { first: above.length, last: above.length + selected.length - 1 };
          const target = isAbove ? at % above.length : range.last + 1 + (at % below.length);
          const start = { line: target, character: 0 };
          const change = { start, end: start, text: `${added.join('\n')}\n` };
          const changed = splitLines(applyChanges(document.join('\n'), '\n', [change]));
          const { first, last } = followLines(range, change);
          assert.deepEqual(changed.slice(first, last + 1), selected);
        },
      ),
    );
  });

  it('move up when lines above them are deleted', () => {
    const change = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 }, text: '' };
    assert.deepEqual(followLines({ first: 3, last: 5 }, change), { first: 1, last: 3 });
  });

  it('grow with what is typed inside them', () => {
    const place = { line: 4, character: 2 };
    assert.deepEqual(followLines({ first: 3, last: 5 }, { start: place, end: place, text: 'x\r\ny' }), {
      first: 3,
      last: 6,
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attachmentLimits, attachmentProblem } from '../../../../src/chat/context/attachmentLimits.ts';
import { withAttachment } from '../../../../src/chat/context/withAttachment.ts';
import { type Attachment, namedAttachment, placedAttachment } from '../../../../src/chat/conversation/attachment.ts';

let ids = 0;
const piece = (
  file: readonly string[],
  startLine: number,
  endLine: number,
  more: Partial<Attachment> = {},
): Attachment => ({
  ...placedAttachment(
    {
      path: 'src/a.ts',
      languageId: 'typescript',
      text: file.slice(startLine - 1, endLine).join('\n'),
      range: { startLine, endLine },
    },
    `id${ids++}`,
  ),
  ...more,
});
const all = (pieces: readonly Attachment[]): readonly Attachment[] =>
  pieces.reduce<readonly Attachment[]>(withAttachment, []);
const places = (list: readonly Attachment[]): string[] => list.map(({ label }) => label);
const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`);

describe('Pieces of one file', () => {
  it('become one where they overlap, however they come', () => {
    assert.deepEqual(places(all([piece(ten, 1, 4), piece(ten, 7, 9), piece(ten, 3, 8)])), ['a.ts:1-9']);
    assert.deepEqual(places(all([piece(ten, 2, 8), piece(ten, 3, 4)])), ['a.ts:2-8']);
    assert.deepEqual(places(all([piece(ten, 1, 2), piece(ten, 3, 4)])), ['a.ts:1-2', 'a.ts:3-4'], 'they only touch');
    const other = { ...piece(ten, 1, 4), path: 'src/b.ts' };
    assert.equal(all([piece(ten, 1, 4), other]).length, 2);
  });

  it('cover the lines that were attached, each once, with the text of the file (property)', () => {
    const file = fc.array(fc.stringMatching(/^[ab]?$/), { minLength: 1, maxLength: 30 });
    const ranges = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(file, ranges, (lines, wanted) => {
        const pieces = wanted.map(([a, b, isClosed]) => {
          const [start, end] = [(Math.min(a, b) % lines.length) + 1, (Math.max(a, b) % lines.length) + 1].sort(
            (x, y) => x - y,
          );
          const made = piece(lines, start ?? 1, end ?? 1);
          return isClosed ? { ...made, text: `${made.text}\n` } : made;
        });
        const joined = all(pieces);
        const covered = (list: readonly Attachment[]): number[] =>
          list.flatMap(({ range }) =>
            Array.from({ length: range.endLine - range.startLine + 1 }, (_, i) => range.startLine + i),
          );
        const sorted = covered(joined).sort((a, b) => a - b);
        assert.deepEqual(
          sorted,
          [...new Set(covered(pieces))].sort((a, b) => a - b),
        );
        for (const { range, text } of joined) {
          const expected = lines.slice(range.startLine - 1, range.endLine).join('\n');
          assert.ok(text === expected || text === `${expected}\n`, JSON.stringify([text, expected]));
        }
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  it('stay apart where they differ: the file was changed, or a part of a line was selected', () => {
    const part = piece(ten, 4, 4, { text: 'ne 4' });
    assert.equal(all([piece(ten, 1, 5), part]).length, 2);
    const changed = ten.with(3, 'other');
    assert.equal(all([piece(ten, 1, 5), piece(changed, 4, 8)]).length, 2);
    assert.deepEqual(
      all([piece(ten, 1, 5), piece(changed, 1, 5)]).map(({ text }) => text.includes('other')),
      [true],
      'the same lines as they are now take the place of what they were',
    );
  });

  it('are the whole file where that is attached, too', () => {
    const whole = piece(ten, 1, 10, { kind: 'file', label: 'a.ts' });
    assert.deepEqual(places(all([piece(ten, 3, 4), whole])), ['a.ts']);
    assert.deepEqual(places(all([whole, piece(ten, 3, 4)])), ['a.ts']);
    assert.equal(all([whole, piece(ten, 3, 4)])[0]?.kind, 'file');
  });
});

describe('Attachments that are no pieces of a file', () => {
  const diff = namedAttachment({ kind: 'diff', label: 'staged', path: 'staged', languageId: 'diff', text: '+a' }, 'd1');
  const pasted = (id: string): Attachment =>
    namedAttachment({ kind: 'pasted', label: 'Pasted text', path: '', languageId: '', text: 'x' }, id);

  it('take the place of the same thing as it was, but for what was pasted', () => {
    const now = { ...diff, id: 'd2', text: '+b' };
    assert.deepEqual(
      all([diff, now]).map(({ id }) => id),
      ['d2'],
    );
    assert.equal(all([pasted('1'), pasted('2')]).length, 2);
  });

  it('are never joined', () => {
    assert.equal(all([{ ...diff, path: 'src/a.ts' }, piece(ten, 1, 5)]).length, 2);
  });
});

describe('The most that goes along with a question', () => {
  const of = (length: number, more: Partial<Attachment> = {}): Attachment => ({
    ...piece(ten, 1, 1),
    text: 'x'.repeat(length),
    ...more,
  });
  const image = of(0, { image: { type: 'image/png', data: '', width: 1, height: 1 } });

  it('is bounded in number, in length of each, and in all', () => {
    const { count, each, all: most, images } = attachmentLimits;
    assert.equal(attachmentProblem(Array(count).fill(of(1))), undefined);
    assert.equal(attachmentProblem(Array(count + 1).fill(of(1))), 'too-many');
    assert.equal(attachmentProblem([of(each)]), undefined);
    assert.equal(attachmentProblem([of(each + 1)]), 'too-long');
    assert.equal(attachmentProblem(Array(most / each + 1).fill(of(each))), 'too-much');
    assert.equal(attachmentProblem(Array(images + 1).fill(image)), 'too-many-images');
  });
});

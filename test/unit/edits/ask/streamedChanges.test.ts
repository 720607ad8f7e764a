import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leftBy, movedRange } from '../../../../src/edits/ask/leftLines.ts';
import { streamedChanges, wholeBlocks } from '../../../../src/edits/ask/streamedChanges.ts';

const lines = ['a', 'b', 'c', 'b', 'd'];
const path = 'src/x.ts';

describe('changes that are shown while they come', () => {
  it('replace lines that stand in the document only once', () => {
    const change = (oldText: string, newText: string, of = path) => ({ path: of, oldText, newText });
    assert.deepEqual(streamedChanges([change('a', 'A'), change('c\nb\n', '')], path, lines), [
      { line: 0, removed: 1, inserted: ['A'] },
      { line: 2, removed: 2, inserted: [] },
    ]);
    assert.deepEqual(streamedChanges([change('b', 'B'), change('x', 'B'), change('\n', 'B')], path, lines), []);
    assert.deepEqual(streamedChanges([change('a', 'A', 'x.ts'), change('d', 'D', 'y.ts')], path, lines).length, 1);
    assert.deepEqual(streamedChanges([change('a\nb', 'A'), change('a', 'X')], path, lines).length, 1);
    assert.deepEqual(
      streamedChanges(
        [
          { path, content: 'x' },
          { path, isDeleted: true },
        ],
        path,
        lines,
      ),
      [],
    );
  });

  it('are those of blocks that are whole', () => {
    const block = 'src/x.ts\n<<<<<<< SEARCH\na\n=======\nA\nB\n>>>>>>> REPLACE\n';
    assert.deepEqual(wholeBlocks(block), [{ path, oldText: 'a', newText: 'A\nB' }]);
    assert.deepEqual(wholeBlocks(`**\`src/x.ts\`**:\n\n\`\`\`ts\n${block.slice(9)}\`\`\`\n`), [
      { path, oldText: 'a', newText: 'A\nB' },
    ]);
    assert.deepEqual(wholeBlocks(block.slice(0, -1)), []);
    assert.deepEqual(wholeBlocks('Some words.\n'), []);
  });
});

describe('the text that a plan leaves', () => {
  const edits = [
    { line: 1, removed: 1, inserted: ['B', 'B2', 'B3'] },
    { line: 3, removed: 2, inserted: [] },
  ];

  it('has the changed files, new ones and renamed ones, and none that is deleted', () => {
    const files = new Map([
      [path, lines],
      ['gone.ts', ['x']],
      ['old.ts', ['y']],
    ]);
    const left = leftBy(
      [
        { path, edits },
        { path: 'new.ts', edits: [{ line: 0, removed: 0, inserted: ['n'] }] },
        { path: 'gone.ts', edits: [], isDeleted: true },
        { path: 'old.ts', edits: [], renamedTo: 'other.ts' },
      ],
      files,
    );
    assert.deepEqual(
      [...left],
      [
        [path, ['a', 'B', 'B2', 'B3', 'c']],
        ['new.ts', ['n']],
        ['other.ts', ['y']],
      ],
    );
  });

  it('has lines at another place where some above them came or went', () => {
    assert.deepEqual(movedRange({ first: 0, last: 0 }, edits), { first: 0, last: 0 });
    assert.deepEqual(movedRange({ first: 2, last: 2 }, edits), { first: 4, last: 4 });
    const { first, last } = movedRange({ first: 3, last: 4 }, edits);
    assert.ok(first <= last && last <= 5);
  });
});

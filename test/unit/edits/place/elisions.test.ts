import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillElisions, hasDoubtfulElision, isElision } from '../../../../src/edits/place/elisions.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `  call${at}();`);

describe('What a model leaves out', () => {
  it('is put back in one way, or not at all', () => {
    const original = ['f() {', ...numbered(3), '}'];
    assert.deepEqual(fillElisions(['f() {', '  // ...', '  more();', '}'], new Set([1]), original), [
      ...['f() {', ...numbered(3), '  more();', '}'],
    ]);
    assert.equal(fillElisions(['  // ...', '  more();', '  // ...'], new Set([0, 2]), numbered(3)), 'ambiguous');
  });

  it('is not put back where a bracket is missing beside it', () => {
    const original = ['f() {', '  if (a) {', '    b();', '  }', '  c();', '}'];
    assert.equal(fillElisions(['f() {', '  if (a) {', '    // ...', '}'], new Set([2]), original), 'ambiguous');
  });

  it('is not looked for in texts whose comparison would hold the editor up', () => {
    const original = numbered(1_000);
    assert.equal(fillElisions(['  // ...', ...original.slice(1)], new Set([0]), original), 'ambiguous');
    assert.deepEqual(fillElisions(['  // ...', ...original.slice(1, 300)], new Set([0]), original.slice(0, 300)), [
      ...original.slice(0, 300),
    ]);
  });

  it('is said by a comment about code, and may be by one about what code works with', () => {
    const stands = [
      '// existing validation code',
      '# rest of the query unchanged',
      '/* other rules remain the same */',
    ];
    const more = [
      '// (getters/setters omitted for brevity)',
      '// a() and b() stay the same',
      '<!-- template unchanged -->',
    ];
    const either = ['// Existing keys are kept as is', '// other entries', '# leave the file as it is'];
    const speaks = ['// the order stays the same', '// pass the remaining arguments unchanged', '// the key is here'];
    const meaning = (line: string): string => {
      if (isElision(line)) return 'stands for lines';
      return hasDoubtfulElision(['first();', line, 'last();'], ['first();', 'middle();', 'last();'])
        ? 'either'
        : 'comment';
    };
    assert.deepEqual([...new Set([...stands, ...more].map(meaning))], ['stands for lines']);
    assert.deepEqual([...new Set(either.map(meaning))], ['either']);
    assert.deepEqual([...new Set(speaks.map(meaning))], ['comment']);
    assert.equal(hasDoubtfulElision(['first();', '// other entries', 'last();'], ['first();', 'last();']), false);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isElision, speaksOfRest } from '../../../../src/edits/place/elisions.ts';
import { fillElisions } from '../../../../src/edits/place/fillElisions.ts';
import { newForm } from '../../../../src/edits/place/newForm.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `  call${at}();`);

describe('What a model leaves out', () => {
  it('is put back in one way, or not at all', () => {
    const original = ['f() {', ...numbered(3), '}'];
    assert.deepEqual(fillElisions(['f() {', '  // ...', '  more(now);', '}'], new Set([1]), original), [
      ...['f() {', ...numbered(3), '  more(now);', '}'],
    ]);
    assert.equal(fillElisions(['  // ...', '  more();', '  // ...'], new Set([0, 2]), numbered(3)), 'ambiguous');
  });

  it('keeps no statement behind one that leaves the block: a new one of its kind takes its place', () => {
    const original = ['f() {', '  let sum = 0;', ...numbered(3), '  return sum;', '}'];
    const shown = ['f() {', '  let sum = 0;', '  // ...', '  return Math.round(sum);', '}'];
    assert.deepEqual(fillElisions(shown, new Set([2]), original), original.with(5, '  return Math.round(sum);'));
    assert.equal(fillElisions(shown.with(3, '  log(sum);'), new Set([2]), original), 'ambiguous');
  });

  it('is not put back where what is shown may be a new form of it', () => {
    const original = [
      'f() {',
      '  for (let i = 0; i <= n; i++) {',
      '    add(i);',
      '  }',
      '  if (d) {',
      '    take();',
      '  }',
      '}',
    ];
    const shown = ['f() {', '  for (const one of all) {', '    addOne(one);', '  }', '  // ...', '}'];
    assert.equal(fillElisions(shown, new Set([4]), original), 'left-out');
  });

  it('is not lost between two lines that stay', () => {
    const original = ['f() {', ...numbered(4), '}'];
    const shown = ['f() {', '  // ...', '  call2();', '}'];
    assert.equal(fillElisions(shown, new Set([1]), original), 'left-out');
  });

  it('is said by dots, by the marker that Parley asks for, and by a remark of nothing else', () => {
    const said = [
      '// ... existing code ...',
      '# ...',
      '…',
      '// existing validation code',
      '# rest of the query unchanged',
    ];
    const more = [
      '/* other rules remain the same */',
      '// (getters/setters omitted for brevity)',
      '// a() and b() stay the same',
    ];
    for (const line of [...said, ...more]) assert.ok(isElision(line), line);
    const speaks = ['// the order stays the same', '// Existing keys are kept as is', '# leave the file as it is'];
    for (const line of [...speaks, '// TODO: existing code here', 'const rest = [...other];'])
      assert.ok(!isElision(line), line);
  });

  it('may be said by a remark in any language, which then is asked about', () => {
    const remarks = [
      '// Die übrigen Zeilen bleiben unverändert',
      '// le reste du code reste inchangé',
      '// 其余代码保持不变',
      '// 残りは変更なし',
    ];
    for (const remark of remarks) {
      assert.ok(speaksOfRest(remark), remark);
      assert.equal(newForm(['f() {', `  ${remark}`, '}'], ['f() {', ...numbered(3), '}']), 'left-out');
    }
    assert.deepEqual(newForm(['f() {', '  // TODO: later', '}'], ['f() {', ...numbered(3), '}']), [
      ...['f() {', '  // TODO: later', '}'],
    ]);
    assert.deepEqual(newForm(['f() {', '  // Calls it', '  call0();', '}'], ['f() {', '  call0();', '}']), [
      ...['f() {', '  // Calls it', '  call0();', '}'],
    ]);
  });
});

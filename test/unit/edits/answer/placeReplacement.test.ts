import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeReplacement } from '../../../../src/edits/answer/placeReplacement.ts';
import { applyLineEdits } from '../../../../src/edits/place/lines/lineEdit.ts';

const changed = (file: readonly string[], search: readonly string[], replace: readonly string[]) => {
  const placed = placeReplacement([{ search, replace }], file, 'a.ts', undefined);
  return typeof placed === 'string' ? placed : applyLineEdits(file, placed);
};

describe('A search that leaves its middle out', () => {
  const file = ['begin();', 'step();', 'done();', 'again();', 'done();'];
  const search = ['begin();', '// ...', 'done();'];

  it('is ambiguous where its end stands twice, and is to change', () => {
    assert.equal(changed(file, search, ['begin();', '// ...', 'finished();']), 'ambiguous');
    assert.equal(changed(file, search, ['begin();', 'finished();']), 'ambiguous');
  });

  it('has a place where it does not matter which end is meant', () => {
    assert.deepEqual(changed(file, search, ['start();', '// ...', 'done();']), file.with(0, 'start();'));
  });

  it('ends in the block in which it begins', () => {
    const functions = ['function a() {', '  one();', '  end();', '}', 'function b() {', '  two();', '  end();', '}'];
    const stopped = functions.with(2, '  stop();');
    assert.deepEqual(changed(functions, ['one();', '...', 'end();'], ['one();', '...', 'stop();']), stopped);
  });
});

describe('A replacement', () => {
  it('keeps the signs of the file, where the model writes others', () => {
    const cases = [
      [
        'print("She said, “Hello.”")',
        'print("She said, "Hello."")',
        'print("She said, "Hi."")',
        'print("She said, “Hi.”")',
      ],
      ['// no – twice', '// no - twice', '// no - once', '// no – once'],
      ['say("Loading…");', 'say("Loading...");', 'say("Still loading...");', 'say("Still loading…");'],
    ] as const;
    for (const [line, search, replace, after] of cases) assert.deepEqual(changed([line], [search], [replace]), [after]);
    // Where the search has the file's own, the new ones are meant.
    assert.deepEqual(changed(['say(“a”);'], ['say(“a”);'], ['say("a");']), ['say("a");']);
  });

  it('is found but for one level of escapes, for numbers of lines, and for marks that other tools ask for', () => {
    const file = ['if (a < b && c) {', '  console.log("hi");', '}'];
    const after = file.with(1, '  console.log("bye");');
    const [search, replace] = ['  console.log(\\"hi\\");', '  console.log(\\"bye\\");'];
    assert.deepEqual(changed(file, [search], [replace]), after);
    assert.deepEqual(
      changed(file, ['2 |   console.log("hi");', '3 | }'], ['2 |   console.log("bye");', '3 | }']),
      after,
    );
    assert.deepEqual(changed(file, [':start_line:2', '-------', file[1] ?? ''], [after[1] ?? '']), after);
    assert.deepEqual(
      changed(file, ['if (a &lt; b &amp;&amp; c) {'], ['if (a &lt;= b) {']),
      file.with(0, 'if (a <= b) {'),
    );
  });

  it('leaves what only looks like that', () => {
    assert.deepEqual(changed(['200: ok', '404: gone'], ['404: gone'], ['404: gone', '500: down']), [
      '200: ok',
      '404: gone',
      '500: down',
    ]);
    assert.deepEqual(changed(['<p>&lt;b&gt;</p>'], ['<p>&lt;b&gt;</p>'], ['<p>&lt;i&gt;</p>']), ['<p>&lt;i&gt;</p>']);
    assert.deepEqual(changed(['a = "\\n";'], ['a = "\\n";'], ['a = "\\t";']), ['a = "\\t";']);
  });
});

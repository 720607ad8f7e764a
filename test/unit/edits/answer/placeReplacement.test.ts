import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeReplacement } from '../../../../src/edits/answer/placeReplacement.ts';
import { applyLineEdits } from '../../../../src/edits/place/lineEdit.ts';

const changed = (file: readonly string[], search: readonly string[], replace: readonly string[]) => {
  const { edits, unplaced } = placeReplacement(
    { kind: 'replace', path: undefined, readings: [{ search, replace }] },
    file,
    undefined,
  );
  return unplaced[0]?.reason ?? applyLineEdits(file, edits);
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

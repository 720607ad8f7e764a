import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCheckpoint, writeCheckpoint } from '../../../../src/edits/review/checkpoint.ts';

describe('a checkpoint on disk', () => {
  it('is read as it was written', () => {
    const file = fc.record({ uri: fc.string(), text: fc.option(fc.string()) });
    const checkpoint = fc.record({ id: fc.string(), title: fc.string(), time: fc.nat(), files: fc.array(file) });
    fc.assert(
      fc.property(checkpoint, (each) =>
        assert.equal(JSON.stringify(readCheckpoint(writeCheckpoint(each))), writeCheckpoint(each)),
      ),
    );
  });

  it('is nothing where it is cut short, or something else', () => {
    const whole = writeCheckpoint({ id: '1', title: 't', time: 1, files: [] });
    for (let end = 0; end < whole.length; end++) assert.equal(readCheckpoint(whole.slice(0, end)), undefined);
    for (const other of ['[]', 'null', '{"version":2}', '{"version":1,"files":{}}'])
      assert.equal(readCheckpoint(other), undefined);
  });
});

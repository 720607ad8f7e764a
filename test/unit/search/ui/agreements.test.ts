import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Agreement,
  agreedFolders,
  readAgreements,
  readOlder,
  withAgreements,
  withoutFolders,
} from '../../../../src/search/ui/index/sending/agreements.ts';

const origin = 'https://one.example';
const [a, b] = ['file:///w/a', 'file:///w/b'];

describe('agreements about folders', () => {
  it('hold for their folder and their service alone', () => {
    const stored = withAgreements([], [[origin, a]]);
    assert.deepEqual(agreedFolders(stored, origin, [a, b]), [a]);
    assert.deepEqual(agreedFolders(stored, 'https://two.example', [a, b]), []);
    assert.deepEqual(agreedFolders(stored, origin, [`${a}/sub`, '']), []);
  });

  it('are withdrawn for all services', () => {
    const stored = withAgreements(
      [],
      [
        [origin, a],
        ['https://two.example', a],
        [origin, b],
      ],
    );
    assert.deepEqual(withoutFolders(stored, [a]), [[origin, b]]);
  });

  it('are kept once each, the newest where there are too many', () => {
    assert.equal(withAgreements([[origin, a]], [[origin, a]]).length, 1);
    const many = Array.from({ length: 6_000 }, (_, at): Agreement => [origin, `file:///${at}`]);
    const kept = withAgreements(many, [[origin, a]]);
    assert.equal(kept.length, 5_000);
    assert.deepEqual(kept.at(-1), [origin, a]);
  });

  it('are read from whatever is stored, and what is none is passed over', () => {
    const hostile = [[origin, a], [origin], [origin, 7], 'x', null, [origin, a, b], { 0: origin, 1: a }];
    assert.deepEqual(readAgreements(hostile), [[origin, a]]);
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        for (const each of readAgreements(stored)) assert.equal(each.length, 2);
        assert.equal(agreedFolders(withoutFolders(stored, [a]), origin, [a]).length, 0);
      }),
    );
  });

  it('of earlier versions are those of each folder; what they had about spaces stays', () => {
    const [both, anew] = [JSON.stringify([origin, a, b]), JSON.stringify([origin, a, b, 3])];
    assert.deepEqual(readOlder([both, anew, '{', '7', '[]']), {
      agreements: [
        [origin, a],
        [origin, b],
      ],
      others: [anew, '{', '7', '[]'],
    });
  });
});

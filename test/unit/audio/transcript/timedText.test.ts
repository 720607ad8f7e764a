import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isSpoken, oneLine, plainLines } from '../../../../src/audio/transcript/timedText.ts';
import {
  formatExactTime,
  formatTimestamp,
  readTimestamp,
  toMilliseconds,
} from '../../../../src/audio/transcript/timestamps.ts';
import { anyText } from '../segments.ts';

describe('a text of a transcript', () => {
  test('has one kind of line break, and no control characters', () => {
    assert.equal(plainLines('a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh'), 'a\nb\nc\nd\ne\nf\ng\nh');
    assert.equal(plainLines('\ufeff\n a\t\0b \n \n\n\n\u00a0\nc\n'), 'a  b\n\nc');
    assert.equal(oneLine(' a\n\tb\u2028 c '), 'a b c');
  });

  test('is spoken when there is more to it than spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(isSpoken({ text }), plainLines(text) !== '');
        assert.equal(isSpoken({ text }), oneLine(text) !== '');
      }),
    );
  });
});

describe('a time', () => {
  test('is read back in each form', () => {
    fc.assert(
      fc.property(fc.nat(3_600_000_000), (ms) => {
        for (const form of [formatTimestamp(ms, ','), formatTimestamp(ms, '.'), formatExactTime(ms)]) {
          assert.equal(readTimestamp(form), ms, form);
        }
        assert.equal(toMilliseconds(ms / 1000), ms);
      }),
    );
    assert.deepEqual(['1:2', '0:1:2.5', '1:02,0425', '60:00', '0:60', '1', '', '-1:00'].map(readTimestamp), [
      ...[62_000, 62_500, 62_042],
      ...[undefined, undefined, undefined, undefined, undefined],
    ]);
  });

  test('is one that files can say, whatever a service gave', () => {
    assert.deepEqual([-1, Number.NaN, -0, 1e300, Number.POSITIVE_INFINITY, 0.0005].map(toMilliseconds), [
      ...[0, 0, 0, 3_600_000_000, 3_600_000_000, 1],
    ]);
  });
});

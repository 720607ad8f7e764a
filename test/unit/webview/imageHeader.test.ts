import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readImageHeader } from '../../../src/webview/shared/imageLimits.ts';

const bytes = (hex: string): Uint8Array => {
  const padded = Buffer.alloc(64);
  Buffer.from(hex.replaceAll(' ', ''), 'hex').copy(padded);
  return padded;
};

describe('The beginning of an image', () => {
  it('names its form and size', () => {
    const png = bytes('89504e470d0a1a0a 0000000d 49484452 00001000 00000800 08060000');
    assert.deepEqual(readImageHeader(png), { type: 'image/png', width: 4096, height: 2048 });
    const gif = bytes('474946383961 2003 5802');
    assert.deepEqual(readImageHeader(gif), { type: 'image/gif', width: 800, height: 600 });
    const jpeg = bytes('ffd8 ffe00010 4a46494600010100000100010000 ffc00011 08 0258 0320 03');
    assert.deepEqual(readImageHeader(jpeg), { type: 'image/jpeg', width: 800, height: 600 });
    const lossy = bytes('52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802');
    assert.deepEqual(readImageHeader(lossy), { type: 'image/webp', width: 800, height: 600 });
    const extended = bytes('52494646 00000000 57454250 56503858 0a000000 00000000 1f0300 570200');
    assert.deepEqual(readImageHeader(extended), { type: 'image/webp', width: 800, height: 600 });
  });

  it('is none for other bytes, and no bytes break it (property)', () => {
    assert.equal(readImageHeader(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')), undefined);
    const start = fc.constantFrom('ffd8', '52494646000000005745425056503858', '89504e47', '424d', '474946', '');
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (hex, rest) => {
        readImageHeader(Buffer.concat([Buffer.from(hex, 'hex'), rest]));
      }),
      { numRuns: 3000, seed: 1 },
    );
  });
});

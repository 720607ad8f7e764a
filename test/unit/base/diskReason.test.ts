import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskReason } from '../../../src/base/diskReason.ts';

test('a failure of the disk is told by its code, and nothing else is one', () => {
  const failed = (code: unknown): Error => Object.assign(new Error('no'), { code });
  for (const [code, reason] of [
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EROFS', 'read-only'],
    ['ENOTDIR', 'read-only'],
    ['EIO', 'failed'],
  ] as const)
    assert.equal(diskReason(failed(code)), reason);
  for (const other of [failed('ECONNRESET'), failed(28), failed('toString'), new Error('no'), 'ENOSPC', undefined])
    assert.equal(diskReason(other), undefined);
});

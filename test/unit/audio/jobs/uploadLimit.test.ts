import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCutOff, limitAfter, limitIn } from '../../../../src/audio/jobs/uploadLimit.ts';
import { ServiceError } from '../../../../src/base/errors.ts';

const MiB = 1024 ** 2;

describe('the limit of uploads', () => {
  it('is read from what services say of it', () => {
    const sentences: Record<string, number | undefined> = {
      'Maximum content size limit (26214400) exceeded (26306794 bytes read)': 26_214_400,
      'Audio file exceeds maximum allowed size (104857600 bytes)': 104_857_600,
      'File is larger than 25 MB.': 25 * MiB,
      'max 25MiB, got 31.5MiB (HTTP 413)': 25 * MiB,
      'limit: 0.5 GB': 512 * MiB,
      'Audio file is too large: 31 MB, limit 25 MB': 25 * MiB,
      'File size (31 MB) exceeds the 25 MB limit': 25 * MiB,
      'limit 25MB, request took 0.3 GB': 25 * MiB,
      'at most 26214400bytes; request 7c1a345678bd, trace 0af7651916cd43dd8448eb211c80319c': 26_214_400,
      'Too large (request id 5f0e123456aa4b, 12345678-9abc)': undefined,
      'Request Entity Too Large': undefined,
      'Request 482913 is too large': undefined,
      'Payload too large (ref 1234567)': undefined,
      'File is 31.2 MB. Upgrade to upload more than 100 KB more': undefined,
      'File is too large; support code: 3000000': undefined,
      'Audio duration 1800 s is more than 1500 s': undefined,
      'at most 200 kB': undefined,
      'Error 413 at 12:30:45, see https://example.org/2024': undefined,
    };
    for (const [sentence, limit] of Object.entries(sentences))
      assert.equal(limitIn(sentence, 900 * MiB), limit, sentence);
  });

  it('is half of what was refused where the service names none, or one that is not less', () => {
    const refused = (message: string) => new ServiceError('too-large', { status: 413, message });
    assert.equal(limitAfter(refused('too large'), 30 * MiB), 15 * MiB);
    assert.equal(limitAfter(refused('at most 25 MB'), 30 * MiB), 25 * MiB);
    assert.equal(limitAfter(refused('at most 25 MB'), 20 * MiB), 10 * MiB);
  });

  it('is none where a smaller request would not help', () => {
    assert.equal(limitAfter(new ServiceError('server', { status: 500 }), 30 * MiB), undefined);
    assert.equal(limitAfter(new ServiceError('too-large', { param: 'recording' }), 30 * MiB), undefined);
    assert.equal(limitAfter(new ServiceError('too-large', { status: 413 }), 400_000), undefined);
  });

  it('may be what broke a connection, where a large recording was not sent to its end', () => {
    const reset = new ServiceError('reset');
    assert.ok(isCutOff(reset, 3 * MiB, 20 * MiB));
    assert.ok(!isCutOff(reset, 20 * MiB, 20 * MiB));
    assert.ok(!isCutOff(reset, 0, 100_000));
    assert.ok(!isCutOff(new ServiceError('timeout'), 3 * MiB, 20 * MiB));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitAfter, limitIn } from '../../../../src/audio/jobs/uploadLimit.ts';
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
      'at most 26214400bytes; request 7c1a345678bd, trace 0af7651916cd43dd8448eb211c80319c': 26_214_400,
      'Too large (request id 5f0e123456aa4b, 12345678-9abc)': undefined,
      'Request Entity Too Large': undefined,
      'Error 413 at 12:30:45, see https://example.org/2024': undefined,
    };
    for (const [sentence, limit] of Object.entries(sentences)) assert.equal(limitIn(sentence), limit, sentence);
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
});

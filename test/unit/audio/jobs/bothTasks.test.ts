import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { jobKey, keyOf, readJobKey } from '../../../../src/audio/jobs/audioJob.ts';
import { createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { createPieceStore, type PieceRequest, wholeRecording } from '../../../../src/audio/jobs/pieceStore.ts';
import { otherText, readTextId, textIdOf } from '../../../../src/audio/transcript/textId.ts';

const path = '/recordings/talk.mp3';
const sha256 = 'a'.repeat(64);
const never = new AbortController().signal;

describe('A recording that is translated and transcribed', () => {
  test('has a job for each, which run beside each other and are told apart after a reload', async () => {
    const jobs = createJobs<string>(() => {});
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = (task: 'translate' | 'transcribe') =>
      jobs.run(jobKey(path, task), never, async () => {
        await held;
        return task;
      });
    const both = [run('translate'), run('transcribe'), run('transcribe')];
    assert.deepEqual(
      jobs.all.map(({ path: of, task, fileName }) => [of, task, fileName]),
      [
        [path, undefined, 'talk.mp3'],
        [path, 'transcribe', 'talk.mp3'],
      ],
    );
    assert.deepEqual(jobs.all.map(keyOf), [path, `transcribe:${path}`]);
    release();
    assert.deepEqual(await Promise.all(both), ['translate', 'transcribe', 'transcribe']);
    const later = createJobs<string>(() => {});
    later.addEnded([
      { path, state: 'interrupted' },
      { path, task: 'transcribe', state: 'interrupted' },
    ]);
    assert.deepEqual(
      later.all.map(({ task, state }) => [task, state]),
      [
        [undefined, 'interrupted'],
        ['transcribe', 'interrupted'],
      ],
    );
    later.remove(`transcribe:${path}`);
    assert.deepEqual(later.all.map(keyOf), [path]);
  });

  test('names of jobs are read back, also of paths on Windows', () => {
    for (const each of [path, 'C:\\recordings\\talk.mp3', '/transcribe:/a.mp3'])
      for (const task of ['translate', 'transcribe'] as const) {
        const named = readJobKey(jobKey(each, task));
        assert.deepEqual([named.path, named.task ?? 'translate'], [each, task]);
      }
  });

  test('has a name for each text, that of the translation as it was before', () => {
    const spoken = otherText({ sha256 });
    assert.equal(textIdOf({ sha256 }), sha256);
    assert.deepEqual(readTextId(textIdOf(spoken)), spoken);
    assert.deepEqual(readTextId(sha256), { sha256 });
    assert.deepEqual(otherText(spoken), { sha256 });
  });

  test('answers for pieces of one task, or language, are none for the other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-both-'));
    try {
      const store = createPieceStore(folder);
      const request = (options: PieceRequest['options']): PieceRequest => ({
        ...wholeRecording,
        ...{ sha256, baseUrl: 'https://a.example/v1', model: 'm', prompt: '', options },
      });
      const [spoken, french] = [{ task: 'transcribe' }, { task: 'transcribe', language: 'fr' }].map(request);
      const answer = {
        text: 'Ja.',
        segments: [{ start: 0, end: 1, text: 'Ja.', words: [{ text: 'Ja', start: 0.1, end: 0.5 }] }],
        language: 'german',
      };
      await store.save(spoken ?? assert.fail(), answer);
      assert.deepEqual(await store.get(spoken ?? assert.fail()), answer);
      assert.equal(await store.get(french ?? assert.fail()), undefined);
      assert.equal(await store.get(request({})), undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

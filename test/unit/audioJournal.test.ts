import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createJournal, hashFile, type Journal } from '../../src/audio/journal.ts';
import type { Recording } from '../../src/audio/probe.ts';
import { createTranscript } from '../../src/audio/transcript.ts';
import { type Batch, prepare, translateBatch } from '../../src/audio/translate.ts';
import { createTurns } from '../../src/audio/turns.ts';
import { ServiceError } from '../../src/service/errors.ts';

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-journal-'));
  journal = createJournal(join(folder, 'translations'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tiny FLAC file: the mark alone is enough to be one. */
function record(name: string, content = name): string {
  const path = join(folder, name);
  writeFileSync(path, `fLaC${content}`);
  return path;
}

const transcriptOf = (recording: Recording, sha256: string, text: string) =>
  createTranscript(recording, sha256, 'a-model', { text, segments: undefined }, Date.UTC(2026, 10, 20));

const never = new AbortController().signal;

function batchOf(parts: Partial<Batch> & Pick<Batch, 'candidates'>): Batch {
  return {
    model: 'a-model',
    journal,
    send: async ({ fileName }) => ({ text: `Said in ${fileName}.`, segments: undefined }),
    onSaved: () => {},
    report: () => {},
    now: () => 0,
    ...parts,
  };
}

describe('saved translations', () => {
  test('are kept under the hash of the recording, and found again by path, size and time of change', async () => {
    const { recording, sha256, saved } = await prepare(record('a.flac'), journal);
    assert.equal(saved, undefined);
    assert.equal(sha256, createHash('sha256').update('fLaCa.flac').digest('hex'));
    const transcript = transcriptOf(recording, sha256, 'Hello.');
    await journal.save(transcript, recording);
    assert.deepEqual(await journal.get(sha256), transcript);
    assert.deepEqual(await journal.find(recording), transcript);
    assert.equal(await journal.has(recording), true);
    assert.deepEqual(readdirSync(join(folder, 'translations')).sort(), [`${sha256}.json`, 'files'].sort());
  });

  test('no longer belong to a file that has changed', async () => {
    const path = record('a.flac');
    const { recording, sha256 } = await prepare(path, journal);
    await journal.save(transcriptOf(recording, sha256, 'Hello.'), recording);
    utimesSync(path, 1000, 1000);
    const touched = await prepare(path, journal);
    assert.equal(touched.saved?.text, 'Hello.', 'the bytes are the same, so it is found by its hash');
    writeFileSync(path, 'fLaCother');
    assert.equal((await prepare(path, journal)).saved, undefined);
    assert.equal(await journal.has({ ...recording, size: recording.size + 1 }), false);
  });

  test('belong to a copy of the recording under another name as well', async () => {
    const first = await prepare(record('a.flac', 'same'), journal);
    await journal.save(transcriptOf(first.recording, first.sha256, 'Hello.'), first.recording);
    const copy = await prepare(record('b.flac', 'same'), journal);
    assert.equal(copy.saved?.text, 'Hello.');
    assert.equal(await journal.has(copy.recording), true);
  });

  test('are gone once removed, and damaged ones are passed over', async () => {
    const { recording, sha256 } = await prepare(record('a.flac'), journal);
    await journal.save(transcriptOf(recording, sha256, 'Hello.'), recording);
    writeFileSync(join(folder, 'translations', `${'b'.repeat(64)}.json`), '{"version":1,');
    assert.deepEqual(
      (await journal.list()).map(({ text }) => text),
      ['Hello.'],
    );
    await journal.remove(sha256);
    assert.deepEqual(await journal.list(), []);
    assert.equal(await journal.has(recording), false);
    assert.equal(await journal.find(recording), undefined);
  });

  test('are asked for by hash only: a path is no hash', async () => {
    writeFileSync(join(folder, 'secret.json'), JSON.stringify({}));
    assert.equal(await journal.get('../secret'), undefined);
  });
});

describe('translating one recording after another', () => {
  const prepareAll = (names: string[]) => Promise.all(names.map((name) => prepare(record(name), journal)));

  test('has each translation on the disk before the next request starts', async () => {
    const candidates = await prepareAll(['a.flac', 'b.flac', 'c.flac']);
    const onDisk: number[] = [];
    const outcomes = await translateBatch(
      batchOf({
        candidates,
        send: async ({ fileName }) => {
          onDisk.push((await createJournal(join(folder, 'translations')).list()).length);
          return { text: fileName, segments: undefined };
        },
      }),
      never,
    );
    assert.deepEqual(onDisk, [0, 1, 2]);
    assert.equal(outcomes.length, 3);
  });

  test('goes on after a file that fails, and keeps the others', async () => {
    const candidates = await prepareAll(['a.flac', 'b.flac', 'c.flac']);
    const outcomes = await translateBatch(
      batchOf({
        candidates,
        send: async ({ fileName }) => {
          if (fileName === 'b.flac') throw new ServiceError('too-large');
          return { text: fileName, segments: undefined };
        },
      }),
      never,
    );
    assert.deepEqual(
      outcomes.map((outcome) => ('error' in outcome ? outcome.error.kind : outcome.transcript.text)),
      ['a.flac', 'too-large', 'c.flac'],
    );
  });

  test('does not ask again for what every file would meet: a refused key, a service that is away', async () => {
    for (const kind of ['auth', 'refused'] as const) {
      let asked = 0;
      const outcomes = await translateBatch(
        batchOf({
          candidates: await prepareAll(['a.flac', 'b.flac']),
          send: async () => {
            asked++;
            throw new ServiceError(kind);
          },
        }),
        never,
      );
      assert.equal(asked, 1);
      assert.deepEqual(
        outcomes.map((outcome) => 'error' in outcome && outcome.error.kind),
        [kind, kind],
      );
    }
  });

  test('sends the same bytes once, even when they are there under two names', async () => {
    const candidates = [
      await prepare(record('a.flac', 'same'), journal),
      await prepare(record('b.flac', 'same'), journal),
    ];
    const sent: string[] = [];
    const outcomes = await translateBatch(
      batchOf({
        candidates,
        send: async ({ fileName }) => {
          sent.push(fileName);
          return { text: 'Once.', segments: undefined };
        },
      }),
      never,
    );
    assert.deepEqual(sent, ['a.flac']);
    assert.deepEqual(
      outcomes.map((outcome) => 'transcript' in outcome && outcome.transcript.text),
      ['Once.', 'Once.'],
    );
  });

  test('sends a recording again when the user asked for that', async () => {
    const path = record('a.flac');
    await translateBatch(batchOf({ candidates: [await prepare(path, journal)] }), never);
    const again = await prepare(path, journal);
    await translateBatch(
      batchOf({ candidates: [again], send: async () => ({ text: 'Better.', segments: undefined }) }),
      never,
    );
    assert.equal((await journal.find(again.recording))?.text, 'Better.');
  });

  test('gives what was done when it is stopped, and sends no more', async () => {
    const stop = new AbortController();
    const sent: string[] = [];
    const outcomes = await translateBatch(
      batchOf({
        candidates: await prepareAll(['a.flac', 'b.flac', 'c.flac']),
        send: async ({ fileName }, signal) => {
          sent.push(fileName);
          if (fileName === 'b.flac') stop.abort();
          if (signal.aborted) throw new ServiceError('cancelled');
          return { text: fileName, segments: undefined };
        },
      }),
      stop.signal,
    );
    assert.deepEqual(sent, ['a.flac', 'b.flac']);
    assert.deepEqual(
      outcomes.map(({ path }) => path.endsWith('a.flac')),
      [true],
    );
  });

  test('gives a translation that the disk did not take', async () => {
    writeFileSync(join(folder, 'translations'), 'a file where the folder should be');
    const [outcome] = await translateBatch(batchOf({ candidates: [await prepare(record('a.flac'), journal)] }), never);
    assert.ok(outcome !== undefined && 'transcript' in outcome && outcome.unsaved !== undefined);
    assert.equal(outcome.transcript.text, 'Said in a.flac.');
  });

  test('takes one batch at a time, and a batch that waits can be stopped', async () => {
    const turns = createTurns();
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const order: string[] = [];
    const enter = (name: string) => async () => void order.push(name);
    const waits = (name: string) => enter(`${name} waits`);
    const stop = new AbortController();
    const running = turns(() => gate.then(enter('first')), never, waits('first'));
    const stopped = turns(enter('stopped'), stop.signal, waits('stopped'));
    const last = turns(enter('last'), never, waits('last'));
    stop.abort();
    await assert.rejects(stopped, { kind: 'cancelled' });
    letGo();
    await Promise.all([running, last]);
    assert.deepEqual(order, ['stopped waits', 'last waits', 'first', 'last']);
  });

  test('hashes a file without holding it, and says when it is gone', async () => {
    const path = record('big.flac', 'x'.repeat(300_000));
    assert.equal(
      await hashFile(path),
      createHash('sha256')
        .update(`fLaC${'x'.repeat(300_000)}`)
        .digest('hex'),
    );
    await assert.rejects(hashFile(join(folder, 'gone.flac')), { kind: 'file-missing', hint: 'gone.flac' });
  });
});

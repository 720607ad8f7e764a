import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Batch, prepare } from '../../../../src/audio/jobs/translate.ts';
import type { FileIdentity, Recording } from '../../../../src/audio/recording/recording.ts';
import { createJournal, type Journal } from '../../../../src/audio/transcript/journal.ts';
import { createTranscript, type Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { timedSegments } from '../../../../src/audio/transcript/transcriptBlocks.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { runBatch } from '../../../support/audioBatch.ts';

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

const hasEnglish = async (file: FileIdentity): Promise<boolean> => (await journal.firstWords(file)) !== undefined;

function batchOf(parts: Partial<Batch> & Pick<Batch, 'candidates'>): Omit<Batch, 'jobs' | 'turns'> {
  return {
    model: 'a-model',
    journal,
    send: async ({ fileName }) => ({ text: `Said in ${fileName}.`, segments: undefined }),
    onSaved: () => {},
    report: () => {},
    reportWait: () => {},
    now: () => 0,
    ...parts,
  };
}

describe('saved translations', () => {
  test('are kept under the hash of the recording, and found again by path, size and time of change', async () => {
    const { recording, sha256, saved } = await prepare(record('a.flac'), journal, never);
    assert.equal(saved, undefined);
    assert.equal(sha256, createHash('sha256').update('fLaCa.flac').digest('hex'));
    const transcript = transcriptOf(recording, sha256, 'Hello.');
    await journal.save(transcript, recording);
    assert.deepEqual(await journal.get(sha256), transcript);
    assert.deepEqual(await journal.find(recording), transcript);
    assert.equal(await journal.firstWords(recording), 'Hello.');
    assert.deepEqual(readdirSync(join(folder, 'translations')).sort(), [`${sha256}.json`, 'files'].sort());
  });

  test('that were edited are kept, and the file tells their first words', async () => {
    const { recording, sha256 } = await prepare(record('a.flac'), journal, never);
    const transcript = transcriptOf(recording, sha256, 'Hello.');
    await journal.save(transcript, recording);
    await journal.update({ ...transcript, text: 'Good morning.' });
    assert.equal((await journal.find(recording))?.text, 'Good morning.');
    assert.equal(await journal.firstWords(recording), 'Good morning.');
  });

  test('no longer belong to a file that has changed', async () => {
    const path = record('a.flac');
    const { recording, sha256 } = await prepare(path, journal, never);
    await journal.save(transcriptOf(recording, sha256, 'Hello.'), recording);
    utimesSync(path, 1000, 1000);
    const touched = await prepare(path, journal, never);
    assert.equal(touched.saved?.text, 'Hello.', 'the bytes are the same, so it is found by its hash');
    writeFileSync(path, 'fLaCother');
    assert.equal((await prepare(path, journal, never)).saved, undefined);
    assert.equal(await hasEnglish({ ...recording, size: recording.size + 1 }), false);
  });

  test('belong to a copy of the recording under another name as well', async () => {
    const first = await prepare(record('a.flac', 'same'), journal, never);
    await journal.save(transcriptOf(first.recording, first.sha256, 'Hello.'), first.recording);
    const copy = await prepare(record('b.flac', 'same'), journal, never);
    assert.equal(copy.saved?.text, 'Hello.');
    assert.equal(await hasEnglish(copy.recording), true);
  });

  test('are gone once removed, and damaged ones are passed over', async () => {
    const { recording, sha256 } = await prepare(record('a.flac'), journal, never);
    await journal.save(transcriptOf(recording, sha256, 'Hello.'), recording);
    writeFileSync(join(folder, 'translations', `${'b'.repeat(64)}.json`), '{"version":1,');
    assert.deepEqual(
      (await journal.list()).map(({ text }) => text),
      ['Hello.'],
    );
    await journal.remove(sha256);
    assert.deepEqual(await journal.list(), []);
    assert.equal(await hasEnglish(recording), false);
    assert.equal(await journal.find(recording), undefined);
  });

  test('leave no word behind once removed: not of a copy, nor in answers for pieces', async () => {
    const removed: string[] = [];
    journal = createJournal(join(folder, 'translations'), async (sha256) => void removed.push(sha256));
    const one = await prepare(record('a.flac', 'same'), journal, never);
    const other = await prepare(record('b.flac', 'other'), journal, never);
    await journal.save(transcriptOf(one.recording, one.sha256, 'A secret.'), one.recording);
    await journal.save(transcriptOf(other.recording, other.sha256, 'Stays.'), other.recording);
    await prepare(record('copy.flac', 'same'), journal, never);
    await journal.remove(one.sha256);
    const files = join(folder, 'translations', 'files');
    assert.equal(readdirSync(files).length, 1);
    for (const name of readdirSync(files)) assert.doesNotMatch(readFileSync(join(files, name), 'utf8'), /secret/);
    assert.deepEqual(removed, [one.sha256]);
    assert.equal(await journal.firstWords(other.recording), 'Stays.');
  });

  test('are all listed, however many there are', { skip: process.platform === 'win32' }, async () => {
    const { recording } = await prepare(record('a.flac'), journal, never);
    const text = 'x'.repeat(1_000);
    mkdirSync(join(folder, 'translations'));
    for (let at = 0; at < 400; at++) {
      const sha256 = createHash('sha256').update(`${at}`).digest('hex');
      const path = join(folder, 'translations', `${sha256}.json`);
      writeFileSync(path, JSON.stringify(transcriptOf(recording, sha256, text)));
    }
    // A process that may open a hundred files.
    const script = `
      import { createJournal } from ${JSON.stringify(new URL('../../../../src/audio/transcript/journal.ts', import.meta.url).href)};
      console.log((await createJournal(process.argv[1]).list()).length);`;
    const listing = spawnSync(
      '/bin/sh',
      [
        '-c',
        'ulimit -n 100 && exec "$0" --input-type=module -e "$1" "$2"',
        process.execPath,
        script,
        join(folder, 'translations'),
      ],
      { encoding: 'utf8' },
    );
    assert.equal(listing.stdout.trim(), '400', listing.stderr);
  });

  test('are not those of other bytes of the same size and time', async () => {
    const path = record('a.flac', 'first');
    utimesSync(path, 1000, 1000);
    const first = await prepare(path, journal, never);
    await journal.save(transcriptOf(first.recording, first.sha256, 'Hello.'), first.recording);
    assert.equal((await prepare(path, journal, never)).saved?.text, 'Hello.');
    rmSync(path);
    record('a.flac', 'tsrif');
    utimesSync(path, 1000, 1000);
    const other = await prepare(path, journal, never);
    assert.equal(other.saved, undefined);
    assert.equal(other.sha256, createHash('sha256').update('fLaCtsrif').digest('hex'));
  });

  test('have the times of a recording that was sent whole in seconds, whatever their unit, and an end that is open is its end', async () => {
    const { recording, sha256 } = await prepare(record('a.flac'), journal, never);
    const known = { ...recording, format: { ...recording.format, durationSeconds: 30 } };
    const times = (of: Recording, ...all: [start: number, end: number, isOpen?: true][]) => {
      const segments = all.map(([start, end, isOpen]) => ({ start, end, text: 'Hello.', ...(isOpen && { isOpen }) }));
      const transcript = createTranscript(of, sha256, 'a-model', { text: 'Hello. Hello.', segments }, 0);
      return timedSegments(transcript)?.map(({ start, end }) => [start, end]);
    };
    for (const unit of [1, 1e3, 1e9]) {
      const given: [number, number][] = [
        [0, 4 * unit],
        [4 * unit, 9 * unit],
        [9 * unit, 12 * unit],
      ];
      assert.deepEqual(times(known, ...given), [
        [0, 4],
        [4, 9],
        [9, 12],
      ]);
    }
    assert.equal(times(known, [0, 4e12], [4e12, 9e12]), undefined);
    // How long it is, is not known: no more than a byte a millisecond, about.
    assert.deepEqual(times({ ...recording, size: 60_000 }, [0, 4e9], [4e9, 9e9]), [
      [0, 4],
      [4, 9],
    ]);
    assert.deepEqual(times(known, [0, 4], [4, 4, true]), [
      [0, 4],
      [4, 30],
    ]);
    const unknown = { ...recording, size: 60_000 };
    assert.deepEqual(times(unknown, [0, 4], [4, 4, true])?.at(-1), [4, 4]);
  });

  test('count as English only when they are: not a text in another language, nor silence', async () => {
    const saveAs = async (name: string, more: Partial<Transcript>): Promise<FileIdentity> => {
      const { recording, sha256 } = await prepare(record(name), journal, never);
      await journal.save({ ...transcriptOf(recording, sha256, 'Hallo.'), ...more }, recording);
      return recording;
    };
    assert.equal(await hasEnglish(await saveAs('english.flac', {})), true);
    const german = await saveAs('german.flac', { untranslated: { language: 'german' } });
    assert.equal(await hasEnglish(german), false);
    assert.deepEqual((await journal.find(german))?.untranslated, { language: 'german' });
    assert.equal(await hasEnglish(await saveAs('silent.flac', { text: '' })), false);
    // As older versions wrote it.
    const files = join(folder, 'translations', 'files');
    for (const name of readdirSync(files)) {
      const { english: _, ...pointer } = JSON.parse(readFileSync(join(files, name), 'utf8')) as { english: boolean };
      writeFileSync(join(files, name), JSON.stringify(pointer));
    }
    assert.equal(await hasEnglish(german), false);
    assert.equal(await hasEnglish((await prepare(join(folder, 'english.flac'), journal, never)).recording), true);
  });

  test('are asked for by hash only: a path is no hash', async () => {
    writeFileSync(join(folder, 'secret.json'), JSON.stringify({}));
    assert.equal(await journal.get('../secret'), undefined);
  });
});

describe('translating one recording after another', () => {
  const prepareAll = (names: string[]) => Promise.all(names.map((name) => prepare(record(name), journal, never)));

  test('has each translation on the disk before the next request starts', async () => {
    const candidates = await prepareAll(['a.flac', 'b.flac', 'c.flac']);
    const onDisk: number[] = [];
    const outcomes = await runBatch(
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
    const outcomes = await runBatch(
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
      const outcomes = await runBatch(
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
      await prepare(record('a.flac', 'same'), journal, never),
      await prepare(record('b.flac', 'same'), journal, never),
    ];
    const sent: string[] = [];
    const outcomes = await runBatch(
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
    await runBatch(batchOf({ candidates: [await prepare(path, journal, never)] }), never);
    const again = await prepare(path, journal, never);
    await runBatch(
      batchOf({ candidates: [again], send: async () => ({ text: 'Better.', segments: undefined }) }),
      never,
    );
    assert.equal((await journal.find(again.recording))?.text, 'Better.');
  });

  test('keeps what the user asked for once more under the hash of the bytes that are there by then', async () => {
    const path = record('a.flac', 'first');
    await runBatch(batchOf({ candidates: [await prepare(path, journal, never)] }), never);
    const again = await prepare(path, journal, never);
    assert.ok(again.saved !== undefined);
    // As one that was known by what an older version kept: the stamp is that of the new bytes, and the hash is the old one.
    writeFileSync(path, 'fLaCtsrif');
    const { recording } = await prepare(path, createJournal(join(folder, 'none')), never);
    const [outcome] = await runBatch(
      batchOf({
        candidates: [{ ...again, recording }],
        send: async () => ({ text: 'Of other bytes.', segments: undefined }),
      }),
      never,
    );
    assert.ok(outcome !== undefined && 'transcript' in outcome);
    assert.equal(outcome.transcript.sha256, createHash('sha256').update('fLaCtsrif').digest('hex'));
    assert.equal((await journal.get(again.sha256))?.text, 'Said in a.flac.');
  });

  test('gives what was done when it is stopped, and sends no more', async () => {
    const stop = new AbortController();
    const sent: string[] = [];
    const outcomes = await runBatch(
      batchOf({
        candidates: await prepareAll(['a.flac', 'b.flac', 'c.flac']),
        send: async ({ fileName }, _sha256, { signal }) => {
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
    const [outcome] = await runBatch(batchOf({ candidates: [await prepare(record('a.flac'), journal, never)] }), never);
    assert.ok(outcome !== undefined && 'transcript' in outcome && outcome.unsaved !== undefined);
    assert.equal(outcome.transcript.text, 'Said in a.flac.');
  });

  describe('of a recording that changes meanwhile', () => {
    const overwrite = (path: string, content: string): void => writeFileSync(path, `fLaC${content}`);
    const hash = (content: string): string => createHash('sha256').update(`fLaC${content}`).digest('hex');
    async function translateWhile(name: string, send: (path: string) => void | Promise<void>, early?: string) {
      const path = record(name, 'first');
      const candidates = [await prepare(path, journal, never)];
      if (early !== undefined) overwrite(path, early);
      const [outcome] = await runBatch(
        batchOf({
          candidates,
          send: async () => {
            await send(path);
            return { text: 'Said.', segments: undefined };
          },
        }),
        never,
      );
      assert.ok(outcome !== undefined && 'transcript' in outcome);
      return outcome;
    }

    test('keeps the text under the bytes that were sent, when it was overwritten before', async () => {
      const outcome = await translateWhile('a.flac', () => {}, 'other');
      assert.equal(outcome.transcript.sha256, hash('other'));
      assert.equal(await journal.get(hash('first')), undefined, 'no copy of the old bytes gets it');
      assert.equal((await journal.get(hash('other')))?.text, 'Said.');
      assert.equal((await prepare(outcome.path, journal, never)).saved?.text, 'Said.');
    });

    test('keeps nothing when it was overwritten while it was sent, and says so', async () => {
      const outcome = await translateWhile('a.flac', (path) => overwrite(path, 'other'));
      assert.deepEqual([outcome.changed, outcome.transcript.text], [true, 'Said.']);
      assert.deepEqual(await journal.list(), []);
    });

    test('sees a change that leaves size and time as they were', async () => {
      const outcome = await translateWhile('a.flac', (path) => {
        const { atime, mtime } = statSync(path);
        overwrite(path, 'tsrif');
        utimesSync(path, atime, mtime);
      });
      assert.equal(outcome.changed, true);
      assert.deepEqual(await journal.list(), []);
    });

    test('tells the service what the bytes are that it gets, not what was there before', async () => {
      const path = record('a.flac', 'first');
      const candidates = [await prepare(path, journal, never)];
      writeFileSync(path, 'OggS other');
      const sent: string[] = [];
      const send = async ({ format }: Recording) => {
        sent.push(format.contentType);
        return { text: 'Said.', segments: undefined };
      };
      await runBatch(batchOf({ candidates, send }), never);
      assert.deepEqual(sent, ['audio/ogg']);
    });

    test('shows the text that came before the user stopped the hashing, and does not keep it', async () => {
      const path = record('a.flac', 'first');
      const candidates = [await prepare(path, journal, never)];
      overwrite(path, 'other');
      const stop = new AbortController();
      const send = async () => {
        stop.abort();
        return { text: 'Said.', segments: undefined };
      };
      const [outcome] = await runBatch(batchOf({ candidates, send }), stop.signal);
      assert.ok(outcome !== undefined && 'transcript' in outcome);
      assert.deepEqual([outcome.changed, outcome.transcript.text], [true, 'Said.']);
      assert.deepEqual(await journal.list(), []);
    });

    test('keeps the text of one that was only touched, moved or deleted', async () => {
      const touched = await translateWhile('a.flac', (path) => utimesSync(path, 1000, 1000));
      assert.equal((await journal.get(hash('first')))?.text, 'Said.');
      assert.equal((await prepare(touched.path, journal, never)).saved?.text, 'Said.');
      await journal.remove(hash('first'));
      const deleted = await translateWhile('b.flac', (path) => rmSync(path));
      assert.deepEqual([deleted.changed, (await journal.get(hash('first')))?.text], [undefined, 'Said.']);
    });
  });

  test('takes what another window kept meanwhile, also where the user asked for it once more', async () => {
    const path = record('a.flac');
    await runBatch(batchOf({ candidates: [await prepare(path, journal, never)] }), never);
    const again = await prepare(path, journal, never);
    const better = { ...transcriptOf(again.recording, again.sha256, 'Better.'), createdAt: '2026-11-22T00:00:00.000Z' };
    await journal.save(better, again.recording);
    const send = (): never => assert.fail('it is sent');
    const [outcome] = await runBatch(batchOf({ candidates: [again], send }), never);
    assert.ok(outcome !== undefined && 'transcript' in outcome);
    assert.equal(outcome.transcript.text, 'Better.');
  });

  test('goes on where no lock can be made', async () => {
    mkdirSync(join(folder, 'translations'), { recursive: true });
    writeFileSync(join(folder, 'translations', 'locks'), 'a file where the folder should be');
    const [outcome] = await runBatch(batchOf({ candidates: [await prepare(record('a.flac'), journal, never)] }), never);
    assert.ok(outcome !== undefined && 'transcript' in outcome && outcome.unsaved === undefined);
  });
});

import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createJobs } from '../../../src/audio/jobs/jobs.ts';
import { openSplit } from '../../../src/audio/jobs/openSplit.ts';
import { createPieceStore } from '../../../src/audio/jobs/pieceStore.ts';
import { createServiceWait } from '../../../src/audio/jobs/serviceWait.ts';
import { proveSoundAlone } from '../../../src/audio/jobs/soundAlone.ts';
import { translateRecording } from '../../../src/audio/jobs/translateRecording.ts';
import type { TranslatedPiece } from '../../../src/audio/merge/mergePieces.ts';
import { buildTranslationPrompt } from '../../../src/audio/prompt/translationPrompt.ts';
import { openRecording } from '../../../src/audio/recording/recording.ts';
import { createSplitter, type Splitter } from '../../../src/audio/split/splitter.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import type { Translation } from '../../../src/service/audio/audio.ts';
import { type Row, toRow } from '../row.ts';
import { type ContainerCase, makeContainers, toneOf } from './containerCases.ts';

const run = promisify(execFile);
/** The largest requests: all of a recording in one, and a good half of it. What is no sound of a request is the first part of it. */
const limitsFor = (size: number): number[] => [25 * 1024 ** 2, 64 * 1024 + 24_000 + Math.max(60_000, size * 0.6)];

/** Recordings in all kinds of containers, sent as the product does, and decoded as a service does. */
export async function containerRows(tell: (text: string) => void): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-containers-'));
  const splitter = createSplitter(new URL('../../../src/audio/split/thread/splitThread.ts', import.meta.url));
  try {
    const cases = await makeContainers(folder);
    let [right, pictures] = [0, 0];
    for (const each of cases) {
      const faults: string[] = [];
      const [all, less] = limitsFor((await stat(each.path)).size);
      for (const limit of each.isWhole === true ? [all] : [all, less]) {
        const sent = await send(each, limit ?? 0, splitter, folder);
        pictures += sent.pictures;
        const fault = faultOf(each, sent);
        if (fault !== undefined) faults.push(fault);
      }
      if (faults.length === 0) right += 1;
      else tell(`${each.name}: ${faults.join('; ')}`);
    }
    const row = (metric: string, value: number, bound: number): Row =>
      toRow({ bench: 'audio', metric, value, unit: '', goal: { of: 'value', is: '=', bound } });
    return [
      row(
        `of ${cases.length} containers, those of which every second is heard once, in order, or that are refused`,
        right,
        cases.length,
      ),
      row('pictures in what was sent of them', pictures, 0),
    ];
  } finally {
    splitter.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Sent {
  /** The tones that were heard, by their seconds. */
  seconds: number[];
  pictures: number;
  error?: ServiceError;
}

function faultOf({ seconds }: ContainerCase, sent: Sent): string | undefined {
  if (sent.pictures > 0) return `${sent.pictures} pictures`;
  if (seconds === undefined) return sent.error?.kind === 'not-audio' ? undefined : 'it was not refused';
  if (sent.error !== undefined) return `${sent.error.kind} ${sent.error.param ?? ''}`;
  return sent.seconds.join() === seconds.join() ? undefined : `heard ${sent.seconds.join()}`;
}

async function send({ path }: ContainerCase, bytes: number, splitter: Splitter, folder: string): Promise<Sent> {
  const place = await mkdtemp(join(folder, 'sent-'));
  const uploads: string[] = [];
  let pieces: readonly TranslatedPiece[] = [];
  const never = new AbortController().signal;
  const file = await openRecording(path).catch((error: unknown) => error as ServiceError);
  if (file instanceof ServiceError) return { seconds: [], pictures: 0, error: file };
  try {
    const jobs = createJobs<Translation | undefined>(() => {});
    await jobs.run(path, never, (job) =>
      translateRecording(
        file.recording,
        'a'.repeat(64),
        {
          store: createPieceStore(join(place, 'kept')),
          limit: { bytes, learn: () => {} },
          request: { baseUrl: 'https://bench.example/v1', model: 'm', options: {} },
          parallel: 1,
          wait: createServiceWait(systemClock),
          promptFor: async () => buildTranslationPrompt({ instruction: '', glossary: [] }),
          carryOver: (prompt) => prompt,
          async send(upload) {
            const copy = join(place, `upload${uploads.length}`);
            await copyFile(upload.path, copy);
            uploads.push(copy);
            return { text: 'Said.', segments: undefined };
          },
          openSplit: (recording, signal) => openSplit(splitter, recording, signal),
          proveAlone: (recording, signal) => proveSoundAlone(splitter, recording, signal),
          async merge(translated) {
            pieces = translated;
            return { text: 'Said.', segments: undefined };
          },
          now: Date.now,
        },
        job,
      ),
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { seconds: [], pictures: 0, error };
  } finally {
    await file.close();
  }
  const heard: number[] = [];
  let pictures = 0;
  for (const [i, upload] of uploads.entries()) {
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_type',
      '-of',
      'csv=p=0',
      upload,
    ]);
    pictures += stdout.split('\n').filter((line) => line.startsWith('video')).length;
    heard.push(...(await tonesIn(upload, pieces[i])));
  }
  return { seconds: heard.filter((second, i) => second !== heard[i - 1]), pictures };
}

const rate = 8_000;
/** Samples that a tone is told from: a tenth of a second. */
const window = rate / 10;

/** The tones of the part that a piece answers for, a tenth of a second each. */
async function tonesIn(path: string, piece: TranslatedPiece | undefined): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a:0', '-f', 's16le', '-ac', '1', '-ar', String(rate), '-'],
    { encoding: 'buffer', maxBuffer: 2 ** 28 },
  );
  const all = new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~1)));
  const start = piece === undefined ? 0 : Math.round((piece.start - piece.from) * rate);
  const end = piece === undefined ? all.length : start + Math.round((piece.end - piece.start) * rate);
  const found: number[] = [];
  let before: number | undefined;
  for (let at = start; at + window <= Math.min(end, all.length); at += window) {
    const second = secondOf(all.subarray(at, at + window));
    // A window in which one tone gives way to the next is like neither.
    if (second !== undefined && second === before) found.push(second);
    before = second;
  }
  return found;
}

/** The number of the second whose tone this is, told by how often it goes through zero. */
function secondOf(samples: Int16Array): number | undefined {
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if ((samples[i - 1] ?? 0) < 0 !== (samples[i] ?? 0) < 0) crossings += 1;
  const hertz = (crossings / 2 / samples.length) * rate;
  const second = Math.round((hertz - toneOf(0)) / (toneOf(1) - toneOf(0)));
  return second >= 0 && Math.abs(toneOf(second) - hertz) < 20 ? second : undefined;
}

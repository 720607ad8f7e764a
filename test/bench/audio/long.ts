import { execFile } from 'node:child_process';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Row, toRow } from '../row.ts';
import { benchFormats } from './formats.ts';
import type { Split } from './splitAll.ts';
import { decodedSeconds, ffmpeg } from './tools.ts';

const run = promisify(execFile);
const bench = 'audio';
/** The limit of most services on a whole request. */
const mostBytes = 25 * 1024 * 1024;
const threeHours = 10_800;
const twoGigabytes = 2 * 1024 ** 3;

/** Splits recordings of three hours, and a WAV of 2 GB, each in a process of its own. */
export async function longRows(
  { script, speech, folder }: { script: string; speech: string; folder: string },
  tell: (text: string) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, container, extension, encode } of benchFormats) {
    tell(`Three hours of ${name} …`);
    const path = join(folder, `long.${extension}`);
    await ffmpeg('-stream_loop', '-1', '-i', speech, '-t', String(threeHours), ...encode, path);
    rows.push(...(await rowsOf(`3 hours of ${name}`, script, path, container, folder)));
    await rm(path);
  }
  tell('A WAV of 2 GB …');
  const path = join(folder, 'large.wav');
  await ffmpeg(
    '-stream_loop',
    '-1',
    '-i',
    speech,
    '-fs',
    String(twoGigabytes - 1024),
    '-ac',
    '2',
    '-c:a',
    'pcm_s16le',
    path,
  );
  rows.push(...(await rowsOf('WAV of 2 GB', script, path, 'wav', folder)));
  return rows;
}

async function rowsOf(what: string, script: string, path: string, container: string, folder: string): Promise<Row[]> {
  const pieces = join(folder, 'pieces');
  await mkdir(pieces, { recursive: true });
  await readOnce(path);
  const args = [join(import.meta.dirname, 'splitAll.ts'), script, path, container, pieces, String(mostBytes)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  const split = JSON.parse(stdout) as Split;
  const cuts = Math.max(1, split.pieces.length - 1);
  // What two neighbours share is counted once.
  let sum = 0;
  for (const { path: piece, start, end, from, to } of split.pieces) {
    sum += (await decodedSeconds(piece)) - (start - from) - (to - end);
  }
  const whole = split.end - split.start;
  const { size } = await stat(path);
  await rm(pieces, { recursive: true });
  return [
    toRow({
      bench,
      metric: `${what}: peak resident growth`,
      value: split.growth,
      unit: 'MB',
      goal: { of: 'value', is: '<=', bound: 96 },
    }),
    toRow({
      bench,
      metric: `${what}: largest piece`,
      value: Math.max(...split.pieces.map(({ bytes }) => bytes)) / 1024 ** 2,
      unit: 'MB',
      goal: { of: 'value', is: '<=', bound: 25 },
    }),
    toRow({
      bench,
      metric: `${what}: lengths of the pieces beside the whole, for each cut`,
      value: (Math.abs(sum - whole) / cuts) * 1000,
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: 50 },
    }),
    toRow({ bench, metric: `${what}: pieces`, value: split.pieces.length, unit: '' }),
    toRow({ bench, metric: `${what}: split at`, value: size / 1024 ** 2 / split.seconds, unit: 'MB/s' }),
  ];
}

/** Reads a file, so that it is not the disk that is measured. */
async function readOnce(path: string): Promise<void> {
  const file = await open(path);
  try {
    const memory = Buffer.alloc(1024 * 1024);
    while ((await file.read(memory, 0, memory.length)).bytesRead > 0);
  } finally {
    await file.close();
  }
}

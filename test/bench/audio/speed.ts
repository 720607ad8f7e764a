import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSplitter, type Splitter } from '../../../src/audio/split/splitter.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { benchFormats } from './formats.ts';
import { ffmpeg } from './tools.ts';

const bench = 'audio';
/** Measured rounds, after one that warms up; an odd number has a middle. */
const rounds = 15;
const seconds = 60;
const pieces = 6;
const measured = ['mp3', 'm4a', 'flac', 'wav'];

/**
 * Splits a minute of sound into pieces on the disk, in turn with ffmpeg, which is started as a process each time. Parley, which
 * also looks for pauses, has a thread that waits some time for the next recording; without a goal it also starts one each time.
 */
export async function speedRows({
  script,
  speech,
  folder,
}: {
  script: string;
  speech: string;
  folder: string;
}): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, container, extension, encode } of benchFormats.filter((format) =>
    measured.includes(format.name),
  )) {
    const path = join(folder, `minute.${extension}`);
    await ffmpeg('-i', speech, '-t', String(seconds), ...encode, path);
    const { size } = await stat(path);
    const target = join(folder, 'minute');
    const { signal } = new AbortController();
    const splitWith = async (all: Splitter): Promise<void> => {
      const splitter = all.of(path, { name: container });
      const { form } = await splitter.open({ signal });
      const room = Math.ceil(size / pieces / 0.92) + 64 * 1024 + form.headerBytes;
      const planned = await splitter.plan({ mostBytes: room, signal });
      if (planned.length < pieces) throw new Error(`${name}: only ${planned.length} pieces.`);
      for (const piece of planned)
        await splitter.write(piece, join(target, `ours${piece.index}.${form.extension}`), { signal });
      await splitter.close();
    };
    const running = createSplitter(script);
    const ours = (): Promise<void> => splitWith(running);
    const fromNothing = async (): Promise<void> => {
      const fresh = createSplitter(script);
      await splitWith(fresh);
      fresh.dispose();
    };
    const theirs = (): Promise<void> =>
      ffmpeg(
        '-i',
        path,
        '-f',
        'segment',
        '-segment_time',
        String(seconds / pieces),
        '-c',
        'copy',
        join(target, `theirs%d.${extension}`),
      );
    const times: Record<'ours' | 'fromNothing' | 'theirs', number[]> = { ours: [], fromNothing: [], theirs: [] };
    for (let round = 0; round <= rounds; round++) {
      await mkdir(target, { recursive: true });
      for (const [who, split] of Object.entries({ ours, fromNothing, theirs })) {
        const began = performance.now();
        await split();
        if (round > 0) times[who as keyof typeof times].push(performance.now() - began);
      }
      await rm(target, { recursive: true });
    }
    running.dispose();
    const peer = { name: 'ffmpeg -f segment -c copy', value: median(times.theirs) };
    const row = { bench, metric: `A minute of ${name} split into ${pieces}`, unit: 'ms', peer };
    rows.push(
      toRow({ ...row, value: median(times.ours), goal: { of: 'ratio', is: '<=', bound: 1 } }),
      toRow({ ...row, metric: `${row.metric}, the first since long`, value: median(times.fromNothing) }),
    );
  }
  return rows;
}

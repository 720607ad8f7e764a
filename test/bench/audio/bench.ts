import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';
import { rowsOfPart } from '../part.ts';
import type { Row } from '../row.ts';
import { clickRows } from './clickRows.ts';
import { containerRows } from './containerRows.ts';
import { longRows } from './long.ts';
import { mergeRows } from './mergeRows.ts';
import { pauseRows } from './pauses.ts';
import { seamRows } from './seamRows.ts';
import { serviceRows } from './serviceRows.ts';
import { makeSpeech } from './speech.ts';
import { speedRows } from './speed.ts';
import { needPrograms } from './tools.ts';

/** Recordings: where cuts fall, how fast they are beside ffmpeg, merging, what is sent again, and the memory that long ones take. */
export async function benchAudio(tell: (text: string) => void): Promise<Row[]> {
  needPrograms();
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'ignore' });
  const script = join(root, 'dist', 'audioSplitter.cjs');
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-audio-'));
  try {
    tell('Speech with pauses …');
    const speech = await makeSpeech(folder);
    const pauses = await pauseRows(speech, folder);
    tell('A minute, beside ffmpeg …');
    const speed = await speedRows({ script, speech: speech.path, folder });
    tell('Containers of all kinds, sent and decoded …');
    const containers = await rowsOfPart(tell, 'Containers', () => containerRows(tell));
    tell('From the click to the first byte, in VS Code …');
    const click = await rowsOfPart(tell, 'A click, in VS Code', clickRows);
    tell('Merging of three hours …');
    const merge = await rowsOfPart(tell, 'Merging', mergeRows);
    const seams = await rowsOfPart(tell, 'Seams without times', seamRows);
    tell('Kills, and a service that fails …');
    const service = await rowsOfPart(tell, 'The service', serviceRows);
    const long = await longRows({ script, speech: speech.path, folder }, tell);
    return [...pauses, ...speed, ...containers, ...click, ...merge, ...seams, ...service, ...long];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

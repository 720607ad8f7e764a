import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openContainer } from '../../../src/audio/split/openContainer.ts';
import { planPieces } from '../../../src/audio/split/plan/planPieces.ts';
import { type Row, toRow } from '../row.ts';
import { benchFormats, moreFormats } from './formats.ts';
import type { Speech } from './speech.ts';
import { ffmpeg } from './tools.ts';

const bench = 'audio';
/** Pieces that the same speech is split into, about: half a minute and more, and for each number at other places. */
const counts = [8, 10, 12, 14];

/** How many cuts fall in a pause, as the speech was made. */
export async function pauseRows(speech: Speech, folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  const { signal } = new AbortController();
  for (const [i, { name, container: format, extension, encode }] of [...benchFormats, ...moreFormats].entries()) {
    const path = join(folder, `pauses${i}.${extension}`);
    await ffmpeg('-i', speech.path, ...encode, path);
    const container = await openContainer(path, { name: format }, signal);
    const cuts: number[] = [];
    for (const count of counts) {
      const room = Math.ceil((await stat(path)).size / count) + 64 * 1024 + container.form.headerBytes;
      const pieces = await planPieces(container, { mostBytes: room, signal });
      cuts.push(...pieces.slice(1).map(({ start }) => start));
    }
    await container.close();
    const share = cuts.filter((cut) => speech.isPause(cut)).length / cuts.length;
    rows.push(
      toRow({
        bench,
        metric: `Cuts in a pause, ${name}, of ${cuts.length}`,
        value: share,
        unit: '',
        goal: { of: 'value', is: '>=', bound: 0.95 },
      }),
    );
  }
  return rows;
}

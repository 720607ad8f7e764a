import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSuites, runWindow } from '../../host/run.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'edits';

/** What the suite `edits/figures` measures, in milliseconds, with the goals. */
const goals: readonly (readonly [figure: string, metric: string, most?: number])[] = [
  ['shown', '20,000 lines, 300 changes: from the end of the answer to the review', 150],
  ['longest block while shown', '20,000 lines, 300 changes: longest block of the extension host until then', 50],
  ['accepted', '20,000 lines, 300 changes: all accepted', 300],
  ['longest block while accepted', '20,000 lines, 300 changes: longest block of the extension host meanwhile', 50],
  ['change seen, median', '2,000 lines at 2,000 tokens/s: from the last line of a change to the review, median'],
  ['change seen, latest', '2,000 lines at 2,000 tokens/s: the latest of them', 100],
  ['typing, median', '2,000 lines at 2,000 tokens/s: a key typed in the file, there and back, median', 32],
  ['typing, 95 of 100', '2,000 lines at 2,000 tokens/s: 95 of 100 keys'],
  ['longest block while it streams', '2,000 lines at 2,000 tokens/s: longest block of the extension host', 50],
];

/** The review of changes in a real VS Code. The service that answers runs in the same process, and its work is in the figures. */
export async function reviewRows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const path = join(folder, 'figures.json');
  try {
    await buildSuites();
    const { failed } = await runWindow({ window: 'benchEdits', env: { PARLEY_TEST_FIGURES: path } });
    if (failed > 0) throw new Error('The review could not be measured.');
    const figures = JSON.parse(await readFile(path, 'utf8')) as Record<string, number>;
    return goals.map(([figure, metric, most]) =>
      toRow({
        bench,
        metric,
        value: figures[figure] ?? Number.NaN,
        unit: 'ms',
        ...(most !== undefined && { goal: { of: 'value', is: '<=', bound: most } as const }),
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

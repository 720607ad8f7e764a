import { longEdits, longFile } from '../../corpus/longEdits.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'edits';
const [lineCount, changes, rounds] = [20_000, 300, 7];
/** The most milliseconds from the end of an answer to its changes, which the review has to share. */
const most = 150;

/** What planning takes for each form of an answer, in plain Node; the file is another list each time, as nothing is known of it. */
export async function planRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, { form }] of longEdits(longFile(lineCount), changes).entries()) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const edit = longEdits(longFile(lineCount), changes)[at];
      const from = performance.now();
      const plan = await edit?.plan();
      times.push(performance.now() - from);
      if (plan?.kind !== 'edits' || plan.unplaced.length > 0) throw new Error(`${form}: ${JSON.stringify(plan)}`);
    }
    rows.push(
      toRow({
        bench,
        metric: `20,000 lines, 300 changes, planned: ${form}`,
        value: median(times),
        unit: 'ms',
        goal: { of: 'value', is: '<=', bound: most },
      }),
    );
  }
  return rows;
}

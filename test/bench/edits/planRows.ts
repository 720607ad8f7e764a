import { longEdits, longFile } from '../../corpus/longEdits.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'edits';
const [lineCount, changes, rounds] = [20_000, 300, 7];
/** The most milliseconds from the end of an answer to its changes, which the review has to share. */
const most = 150;

/** What planning takes for each form of an answer, in plain Node; the file is another list each time, as nothing is known of it. */
export function planRows(): Row[] {
  return longEdits(longFile(lineCount), changes).map(({ form }, at) => {
    const times = Array.from({ length: rounds }, () => {
      const edit = longEdits(longFile(lineCount), changes)[at];
      const from = performance.now();
      const plan = edit?.plan();
      const time = performance.now() - from;
      if (plan?.kind !== 'edits') throw new Error(`${form}: ${JSON.stringify(plan)}`);
      return time;
    });
    return toRow({
      bench,
      metric: `20,000 lines, 300 changes, planned: ${form}`,
      value: median(times),
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: most },
    });
  });
}

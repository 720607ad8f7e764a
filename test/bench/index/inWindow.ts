import { measureInWindow } from '../measureInWindow.ts';
import { type Row, toRow } from '../row.ts';

/** What the suite `search/figures` measures, in milliseconds, with the goals. */
const goals: readonly (readonly [figure: string, metric: string, most?: number])[] = [
  ['at rest, median', 'in VS Code, nothing under way: from the last key of a question to its file in the list, median'],
  ['built, median', '12,000 chunks being sent to a service that takes 60 ms: the same, median'],
  ['built, 95 of 100', '12,000 chunks being sent: 95 of 100 questions', 300],
  ['switched, median', 'after 2,000 files have changed at once: the same, median'],
  ['switched, 95 of 100', 'after 2,000 files have changed at once: 95 of 100 questions', 500],
  ['two windows, median', 'built anew, while a second window on the folder is told to index it, too: the same, median'],
  ['two windows, 95 of 100', 'built anew beside a second window: 95 of 100 questions', 300],
];

/** Questions typed into the list of a real VS Code, while an index is built and after a branch switch. The 60 ms pause of typing is in them, and so is the way to the browser and back. */
export async function inWindowRows(): Promise<Row[]> {
  const figures = await measureInWindow('benchSearch');
  return goals.map(([figure, metric, most]) =>
    toRow({
      bench: 'index',
      metric,
      value: figures[figure] ?? Number.NaN,
      unit: 'ms',
      ...(most !== undefined && { goal: { of: 'value', is: '<=', bound: most } as const }),
    }),
  );
}

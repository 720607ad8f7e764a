import { measureInWindow } from '../measureInWindow.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'edits';

/** What the suite `edits/figures` measures, in milliseconds, with the goals. */
const goals: readonly (readonly [figure: string, metric: string, most?: number])[] = [
  ['shown', '20,000 lines, 300 changes: from the end of the answer to the review', 150],
  ['longest block while shown', '20,000 lines, 300 changes: longest block of the extension host until then', 50],
  ['accepted', '20,000 lines, 300 changes: all accepted', 300],
  ['accepted at once', '20,000 lines, 300 changes: all accepted while VS Code still draws the review'],
  ['longest block while accepted', '20,000 lines, 300 changes: longest block of the extension host meanwhile', 50],
  ['change seen, median', '2,000 lines at 2,000 tokens/s: from the last line of a change to the review, median'],
  ['change seen, latest', '2,000 lines at 2,000 tokens/s: the latest of them', 100],
  ['typing, median', '2,000 lines at 2,000 tokens/s: a key typed in the file, there and back, median', 32],
  ['typing, 95 of 100', '2,000 lines at 2,000 tokens/s: 95 of 100 keys'],
  ['longest block while it streams', '2,000 lines at 2,000 tokens/s: longest block of the extension host', 50],
];

/**
 * The review of changes in a real VS Code, beside what VS Code itself needs for a text, and for changes, of that size.
 * The service that answers runs in the same process, and its work is in the figures. */
export async function reviewRows(): Promise<Row[]> {
  const figures = await measureInWindow('benchEdits');
  return goals.map(([figure, metric, most]) =>
    toRow({
      bench,
      metric,
      value: figures[figure] ?? Number.NaN,
      unit: 'ms',
      ...(figures[`${figure} by VS Code alone`] !== undefined && {
        peer: { name: 'VS Code alone', value: figures[`${figure} by VS Code alone`] ?? Number.NaN },
      }),
      ...(most !== undefined && { goal: { of: 'value', is: '<=', bound: most } as const }),
    }),
  );
}

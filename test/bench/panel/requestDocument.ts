import { measureInWindow } from '../measureInWindow.ts';
import { type Row, toRow } from '../row.ts';

/** How soon the drawer follows a key that is typed into the request as JSON, in a real VS Code: until a test can read it there. */
export async function measureRequestDocument(tell: (text: string) => void): Promise<Row[]> {
  tell('panel: keys are typed into the request as JSON, in VS Code');
  const { median = Number.NaN, slowest = Number.NaN } = await measureInWindow('benchRequest');
  const row = (metric: string, value: number): Row =>
    toRow({ bench: 'panel', metric, value, unit: 'ms', goal: { of: 'value', is: '<=', bound: 100 } });
  return [
    row('A key in the request as JSON until the drawer follows, median of 11', median),
    row('A key in the request as JSON until the drawer follows, slowest of 11', slowest),
  ];
}

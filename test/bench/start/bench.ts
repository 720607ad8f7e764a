/** What the start of VS Code has to do for Parley, in a real VS Code that is started ten times. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';
import { median } from '../client/statistics.ts';
import { measureInWindow } from '../measureInWindow.ts';
import { type Row, toRow } from '../row.ts';

const starts = 10;

export async function benchStart(tell: (line: string) => void): Promise<Row[]> {
  const activations: number[] = [];
  const firstUses: number[] = [];
  for (let start = 1; start <= starts; start++) {
    const { activate = Number.NaN, firstUse = Number.NaN } = await measureInWindow('benchStart');
    activations.push(activate);
    firstUses.push(firstUse);
    tell(`start ${start}: activated in ${activate} ms, first use after ${firstUse.toFixed(0)} ms`);
  }
  const { size } = await stat(join(root, 'dist', 'extension.cjs'));
  return [
    toRow({
      bench: 'start',
      metric: `activation by VS Code's own report, where Parley was not used before, median of ${starts} starts`,
      value: median(activations),
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: 30 },
    }),
    toRow({ bench: 'start', metric: 'the first use loads all, median', value: median(firstUses), unit: 'ms' }),
    toRow({
      bench: 'start',
      metric: 'the bundle that the start loads',
      value: size / 1000,
      unit: 'kB',
      goal: { of: 'value', is: '<=', bound: 200 },
    }),
  ];
}

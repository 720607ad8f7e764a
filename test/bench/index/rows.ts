import { type Goal, type Row, toRow } from '../row.ts';

export const most = (bound: number): Goal => ({ of: 'value', is: '<=', bound });

export function row(metric: string, value: number, unit: string, goal?: Goal): Row {
  return toRow({ bench: 'index', metric, value, unit, ...(goal === undefined ? {} : { goal }) });
}

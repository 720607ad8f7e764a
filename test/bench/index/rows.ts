import { type Goal, type Row, toRow } from '../row.ts';

export const most = (bound: number): Goal => ({ of: 'value', is: '<=', bound });

export const atMostTimes = (bound: number): Goal => ({ of: 'ratio', is: '<=', bound });

export function row(
  metric: string,
  value: number,
  unit: string,
  goal?: Goal,
  peer?: { name: string; value: number },
): Row {
  return toRow({ bench: 'index', metric, value, unit, ...(goal && { goal }), ...(peer && { peer }) });
}

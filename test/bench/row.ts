/** One line of what a bench measured. `peer…` are of the other side of a comparison, null where there is none. */
export interface Row {
  bench: string;
  /** What was measured, in words, unique in its bench. */
  metric: string;
  value: number;
  unit: string;
  peer: string | null;
  peerValue: number | null;
  /** `value / peerValue`. */
  ratio: number | null;
  /** A condition on another member of the row, as `ratio >= 2`; null for a figure that is only told. */
  goal: string | null;
  /** Whether the condition is met; null where there is none. */
  holds: boolean | null;
}

export interface Goal {
  of: 'value' | 'ratio';
  is: '>=' | '<=' | '=';
  bound: number;
}

/** A row from what was measured; ratio and verdict follow from it. */
export function toRow(
  measured: Pick<Row, 'bench' | 'metric' | 'value' | 'unit'> & {
    peer?: { name: string; value: number };
    goal?: Goal;
  },
): Row {
  const { bench, metric, value, unit, peer, goal } = measured;
  const ratio = peer === undefined ? null : round(value / peer.value);
  return {
    bench,
    metric,
    value: round(value),
    unit,
    peer: peer?.name ?? null,
    peerValue: peer === undefined ? null : round(peer.value),
    ratio,
    goal: goal === undefined ? null : `${goal.of} ${goal.is} ${goal.bound}`,
    holds: goal === undefined ? null : holds(goal, goal.of === 'value' ? value : (ratio ?? Number.NaN)),
  };
}

function holds({ is, bound }: Goal, figure: number): boolean {
  if (is === '=') return figure === bound;
  return is === '>=' ? figure >= bound : figure <= bound;
}

/** To four significant digits: more is noise. */
function round(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4));
}

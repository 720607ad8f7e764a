import type { LineRange } from '../../../base/lines.ts';
import { openBrackets } from '../../place/elisions.ts';
import { columnsOf, isBlank, isTelling, normalised, similarity } from '../../place/lineText.ts';

/** How alike lines must be to those that they are a new form of, on average, and how much more than to any others. */
export const leastAlike = 0.6;
const leastLead = 0.15;
/** The largest product of lines that are compared. */
const mostCompared = 40_000;

/**
 * The lines below the head that written ones are a new form of: as many that are alike, or all between two that the first and the
 * last are alike.
 */
export function findPart(selected: readonly string[], written: readonly string[], head: number): LineRange | undefined {
  const old = selected.flatMap((line, at) => (at <= head || isBlank(line) ? [] : [at]));
  const own = written.filter((line) => !isBlank(line));
  if (own.length * old.length > mostCompared) return undefined;
  const fits = ({ first, last }: LineRange): boolean =>
    openBrackets(selected.slice(first, last + 1)) === openBrackets(written);
  const windows = old.slice(0, Math.max(0, old.length - own.length + 1)).map((first, at) => {
    const places = old.slice(at, at + own.length);
    return {
      first,
      last: places.at(-1) ?? first,
      score: likeness(
        own,
        places.map((place) => selected[place] ?? ''),
      ),
    };
  });
  const best = clearlyBest(windows);
  if (best !== undefined && fits(best)) return best;
  const starts = old.map((first) => ({ first, score: likeness(own.slice(0, 1), [selected[first] ?? '']) }));
  const start = clearlyBest(starts)?.first;
  const end = start === undefined ? undefined : old.find((at) => at > start && isSameEnd(own, selected, start, at));
  return start !== undefined && end !== undefined && fits({ first: start, last: end })
    ? { first: start, last: end }
    : undefined;
}

function clearlyBest<Place extends { readonly score: number }>(places: readonly Place[]): Place | undefined {
  const [best, next] = [...places].sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= leastAlike && best.score - (next?.score ?? 0) >= leastLead
    ? best
    : undefined;
}

/** Whether the last of the written lines is one of the selection's, as deep below the first. */
function isSameEnd(own: readonly string[], selected: readonly string[], start: number, at: number): boolean {
  const [first = '', last = ''] = [own[0], own.at(-1)];
  const [from = '', to = ''] = [selected[start], selected[at]];
  return (
    columnsOf(to) - columnsOf(from) === columnsOf(last) - columnsOf(first) &&
    (isTelling(last) ? similarity(last, to) >= leastAlike : normalised(last) === normalised(to))
  );
}

/** How alike the telling lines of two texts of as many lines are, on average. */
function likeness(own: readonly string[], old: readonly string[]): number {
  const telling = own.flatMap((line, at) => (isTelling(line) ? [[line, old[at] ?? ''] as const] : []));
  const sum = telling.reduce((total, [line, other]) => total + (isTelling(other) ? similarity(line, other) : 0), 0);
  return sum / Math.max(1, telling.length);
}

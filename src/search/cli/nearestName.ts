/** The name that is most like the one that was typed; undefined where none is. Transposed letters are one slip, as in Damerau's distance. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const found = names
    .map((name) => ({ name, slips: name.startsWith(typed) && typed.length > 1 ? 0.5 : slipsBetween(typed, name) }))
    .sort((a, b) => a.slips - b.slips)[0];
  return found !== undefined && found.slips <= most ? found.name : undefined;
}

/** The longest name that is compared: what is longer is no slip. */
const longest = 40;

function slipsBetween(one: string, other: string): number {
  if (one.length > longest) return Number.POSITIVE_INFINITY;
  const rows = Array.from({ length: one.length + 1 }, (_, at) => [at, ...Array<number>(other.length).fill(0)]);
  const cell = (a: number, b: number): number => rows[a]?.[b] ?? b;
  for (let b = 0; b <= other.length; b++) (rows[0] as number[])[b] = b;
  for (let a = 1; a <= one.length; a++) {
    for (let b = 1; b <= other.length; b++) {
      const isSame = one[a - 1] === other[b - 1];
      let least = Math.min(cell(a - 1, b) + 1, cell(a, b - 1) + 1, cell(a - 1, b - 1) + (isSame ? 0 : 1));
      if (a > 1 && b > 1 && one[a - 1] === other[b - 2] && one[a - 2] === other[b - 1]) {
        least = Math.min(least, cell(a - 2, b - 2) + 1);
      }
      (rows[a] as number[])[b] = least;
    }
  }
  return cell(one.length, other.length);
}

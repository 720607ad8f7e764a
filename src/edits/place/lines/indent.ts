import { columnsOf, indentationOf, isBlank } from './lineText.ts';

/** A line as a model wrote it, and the line of the file that it is. */
export interface LinePair {
  readonly written: string;
  readonly inFile: string;
}

/**
 * Gives lines the file's indentation, learnt from lines that are in both: a model takes off what is common to all lines, and writes
 * spaces for tabs, or two for four.
 */
export function indentLike(lines: readonly string[], pairs: readonly LinePair[]): string[] {
  const known = new Map<string, string>();
  for (const { written, inFile } of pairs) {
    if (isBlank(written) || known.has(indentationOf(written))) continue;
    known.set(indentationOf(written), indentationOf(inFile));
  }
  if (known.size === 0 || [...known].every(([from, to]) => from === to)) return [...lines];
  const convert = converter([...known]);
  return lines.map((line) => {
    if (isBlank(line)) return line;
    const indentation = indentationOf(line);
    return (known.get(indentation) ?? convert(indentation)) + line.slice(indentation.length);
  });
}

/** How an indentation that no known line has is written in the file: by the step from a known one. */
function converter(known: [string, string][]): (indentation: string) => string {
  const levels = known
    .map(([from, to]) => ({ from: columnsOf(from), to: columnsOf(to), text: to }))
    .sort((a, b) => a.from - b.from);
  const [first, last] = [levels[0], levels.at(-1)];
  const slope = first && last && last.from > first.from ? (last.to - first.to) / (last.from - first.from) : 1;
  const usesTabs = known.some(([, to]) => to.includes('\t'));
  return (indentation) => {
    const columns = columnsOf(indentation);
    const nearest = levels.reduce((best, each) =>
      Math.abs(each.from - columns) < Math.abs(best.from - columns) ? each : best,
    );
    const wanted = Math.max(0, Math.round(nearest.to + (columns - nearest.from) * (slope > 0 ? slope : 1)));
    return usesTabs ? '\t'.repeat(Math.floor(wanted / 4)) + ' '.repeat(wanted % 4) : ' '.repeat(wanted);
  };
}

/** The white space that every line with text begins with. */
export function commonIndentation(lines: readonly string[]): string {
  const starts = lines.filter((line) => !isBlank(line)).map(indentationOf);
  return starts.reduce((common, start) => {
    let length = 0;
    while (length < common.length && common[length] === start[length]) length++;
    return common.slice(0, length);
  }, starts[0] ?? '');
}

/** The step by which lines are indented: a tab, or the least number of spaces between two depths. */
export function indentationUnit(lines: readonly string[]): string | undefined {
  let least = Number.POSITIVE_INFINITY;
  let before = columnsOf(lines.find((line) => !isBlank(line)) ?? '');
  for (const line of lines) {
    if (isBlank(line)) continue;
    if (line.startsWith('\t')) return '\t';
    const columns = columnsOf(line);
    const step = columns - before;
    if (step > 1) least = Math.min(least, step);
    before = columns;
  }
  return Number.isFinite(least) ? ' '.repeat(least) : undefined;
}

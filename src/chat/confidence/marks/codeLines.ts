import { splitLines } from '../../../base/lines.ts';

/** A line of code of an answer, without the blanks around it. */
export interface CodeLine {
  readonly text: string;
  /** Where in the answer the text begins, in UTF-16 units. */
  readonly at: number;
}

/** Comparisons of lines, after which it is given up: an answer may be made of one line that comes again and again. */
const mostCompared = 500_000;

/**
 * The lines of a block of code where they stand in the answer.
 * @param code as the answer's page has it: without the indentation and the quote marks before its lines; without it, all lines
 * @returns undefined where the answer has no such lines, or has them more than once
 */
export function codeLines(answer: string, code?: string): CodeLine[] | undefined {
  const all = answerLines(answer);
  if (code === undefined) return all.map(({ line, at }) => withoutBlanks(line, at));
  const wanted = splitLines(code);
  let compared = 0;
  let found: number | undefined;
  for (let first = 0; first + wanted.length <= all.length; first++) {
    const differs = wanted.findIndex((line, index) => !isLineOf(all[first + index]?.line ?? '', line));
    compared += differs < 0 ? wanted.length : differs + 1;
    if ((differs < 0 && found !== undefined) || compared > mostCompared) return undefined;
    if (differs < 0) found = first;
  }
  if (found === undefined) return undefined;
  return all.slice(found, found + wanted.length).map(({ line, at }, index) => {
    // The page may have left out blanks of the line, and quote marks of the quote that it stands in.
    const own = (wanted[index] ?? '').trim();
    return { text: own, at: at + line.lastIndexOf(own) };
  });
}

function answerLines(answer: string): { readonly line: string; readonly at: number }[] {
  const lines: { line: string; at: number }[] = [];
  const ends = /\r\n|\r|\n|$/g;
  for (let at = 0; at <= answer.length; at = ends.lastIndex) {
    ends.lastIndex = at;
    const end = ends.exec(answer);
    if (end === null) break;
    lines.push({ line: answer.slice(at, end.index), at });
    if (end[0] === '') break;
  }
  return lines;
}

function withoutBlanks(line: string, at: number): CodeLine {
  const text = line.trim();
  return { text, at: at + line.indexOf(text) };
}

/** Whether a line of an answer is a line of code, behind nothing but blanks and quote marks. */
function isLineOf(line: string, code: string): boolean {
  const [whole, own] = [line.trimEnd(), code.trim()];
  return whole.endsWith(own) && /^[ \t>]*$/.test(whole.slice(0, whole.length - own.length));
}

/** The fewest characters of a line, or of all lines, that can say by themselves where they are from. */
export const fewestOfLine = 4;
const fewestOfAll = 8;

/**
 * Which lines of code the lines of an inserted text are. They may be indented in another way, and there may be others between them.
 * A line that may be several of the code is none, but beside one that is sure.
 */
export function matchLines(code: readonly CodeLine[], inserted: readonly string[]): (CodeLine | undefined)[] {
  const lines = inserted.map((line) => line.trim());
  const whole = wholeMatch(code, lines);
  if (whole !== undefined) return lines.map((line, index) => (line === '' ? undefined : code[whole + index]));
  const matched = lines.map((): number | undefined => undefined);
  const anchors = inOrder(uniquePairs(code, lines));
  anchors.forEach(([line, own], index) => {
    matched[line] = own;
    for (const step of [-1, 1] as const) {
      const limit = anchors[index + step];
      for (let by = step; ; by += step) {
        const [there, its] = [line + by, own + by];
        const isTaken = limit !== undefined && ((limit[0] - there) * step <= 0 || (limit[1] - its) * step <= 0);
        if (isTaken || matched[there] !== undefined || lines[there] === undefined) break;
        if (lines[there] !== code[its]?.text) break;
        matched[there] = its;
      }
    }
  });
  const claims = new Map<number, number>();
  for (const own of matched) if (own !== undefined) claims.set(own, (claims.get(own) ?? 0) + 1);
  return matched.map((own, index) =>
    own === undefined || lines[index] === '' || claims.get(own) !== 1 ? undefined : code[own],
  );
}

/** Where in the code all the lines stand one behind the other, when they do so once. May be negative: blank lines may stand before. */
function wholeMatch(code: readonly CodeLine[], lines: readonly string[]): number | undefined {
  const first = lines.findIndex((line) => line !== '');
  if (first < 0) return undefined;
  const own = lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
  const isAll =
    own.join('\n') ===
    code
      .map(({ text }) => text)
      .join('\n')
      .trim();
  if (!isAll && own.join('').length < fewestOfAll) return undefined;
  let compared = 0;
  let found: number | undefined;
  for (let at = 0; at + own.length <= code.length; at++) {
    const differs = own.findIndex((line, index) => code[at + index]?.text !== line);
    compared += differs < 0 ? own.length : differs + 1;
    if ((differs < 0 && found !== undefined) || compared > mostCompared) return undefined;
    if (differs < 0) found = at;
  }
  return found === undefined ? undefined : found - first;
}

type Pair = readonly [line: number, own: number];

/** The lines that either side has once, in the order of the inserted text. */
function uniquePairs(code: readonly CodeLine[], lines: readonly string[]): Pair[] {
  const own = onceIn(code.map(({ text }) => text));
  return [...onceIn(lines)].flatMap(([text, line]): Pair[] => {
    const its = own.get(text);
    const says = text.length >= fewestOfLine && /[\p{L}\p{N}]/u.test(text);
    return its === undefined || !says ? [] : [[line, its]];
  });
}

/** The place of each line that is there once. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const again = new Set<string>();
  lines.forEach((line, index) => {
    if (places.has(line)) again.add(line);
    else places.set(line, index);
  });
  for (const line of again) places.delete(line);
  return places;
}

/** The longest run of pairs that have the same order on both sides. */
function inOrder(pairs: readonly Pair[]): Pair[] {
  /** For each length, the pair with which a run of that length ends soonest; and what stands before each pair. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  pairs.forEach(([, own], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < own) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1]);
    ends[low] = index;
  });
  const run: Pair[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const pair = pairs[at];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}

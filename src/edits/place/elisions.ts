import { withoutStrings } from './lineStrings.ts';
import { columnsOf, isBlank, isTelling, normalised, similarity } from './lineText.ts';

const leader = String.raw`(?:\/\/|#|--|\/\*+|<!--|\{\/\*|;+|%|\(\*|\*|"|')`;
const dotted = new RegExp(String.raw`^\s*${leader}\s*[\[(<]?\s*(?:\.{3}|…)`);
const bare = /^\s*(?:\.{3}|…)\s*$/;
const commented = new RegExp(String.raw`^\s*${leader}+\s*`);

/** Words for parts of a program, and words that name data as well. */
const ofCode =
  /^(?:code|functions?|methods?|class(?:es)?|body|bodies|file|implementation|logic|imports?|fields|rules?|styles?|tests?|statements?|sections?|handlers?|routes?|definitions?|members?|properties|getters?(?:\/setters?)?|setters?|constructors?|template|script|component|markup|query|block|loop|everything|stuff)$/;
const ofData =
  /^(?:lines?|contents?|items?|entries|keys?|values?|cases?|parts?|config|columns?|steps?|jobs?|types?|all)$/;
/** That what a comment names is as it was, or is not shown. */
const state =
  /(?:^|\s)(?:(?:is|are|was|were|stays?|remains?|keeps?|kept|left|goes?) )*(?:(?:exactly|all|completely) )?(?:unchanged|the same|same as before|as (?:it|they) (?:is|are|was|were)|as is|as before|as above|here|omitted|left out|not shown|stays?|remains?)$/;
/** The longest comment that stands for other lines, in words, and in characters. */
const [mostWords, longestComment] = [14, 200];

/** What the words of a comment mean: they stand for lines; or they may, or say something of what the code does; or they do not. */
function meaningOf(line: string): 'elision' | 'doubtful' | undefined {
  if (line.length > longestComment || !commented.test(line)) return undefined;
  const text = line
    .replace(commented, '')
    .replace(/^[\s[(<]+|[\s*/>})\].#"'-]+$/g, '')
    .toLowerCase();
  if (text === '' || text.split(/\s+/).length > mostWords) return undefined;
  if (
    /\bfor (?:brevity|clarity)$/.test(text) ||
    /^(?:existing|(?:exactly )?(?:unchanged|the same)|same as before|no changes?(?: here)?|(?:keep )?as (?:is|before))$/.test(
      text,
    )
  )
    return 'elision';
  const end = state.exec(text);
  return meaningOfSubject(end === null ? text : text.slice(0, end.index).trim(), end !== null);
}

function meaningOfSubject(subject: string, isSaid: boolean): 'elision' | 'doubtful' | undefined {
  const words = subject.replace(/ (?:above|below)$/, '').split(/[\s,]+/);
  const noun = words.at(-1) ?? '';
  const isCode = ofCode.test(noun);
  const rest = /^(?:keep )?(?:the |all )?(?:rest|remainder)\b/.test(subject);
  if (rest && /(?:rest|remainder)$/.test(subject)) return isSaid || words[0] === 'keep' ? 'elision' : 'doubtful';
  const isOther = /^(?:(?:the|all|any|your|keep|same) )*(?:other|existing|remaining|previous|unchanged|same)\s/.test(
    subject,
  );
  if (rest || isOther) {
    const isPhrase = isSaid || words.length <= 5;
    if (isCode) return isPhrase ? 'elision' : 'doubtful';
    return isSaid || (ofData.test(noun) && isPhrase) ? 'doubtful' : undefined;
  }
  if (!isSaid) return undefined;
  if (words.every((word) => word === 'and' || /^[\w.#]+\(\)$/.test(word))) return 'elision';
  if (!isCode) return undefined;
  return /^(?:leave|keep|pass|return|hand|give|make|let|ensure|copy|write|read|use)\s/.test(subject)
    ? 'doubtful'
    : 'elision';
}

/** Whether a line stands for lines that a model left out: `// ... existing code ...`, `# rest of the function unchanged`, `…`. */
export function isElision(line: string): boolean {
  return dotted.test(line) || bare.test(line) || meaningOf(line) === 'elision';
}

/**
 * Whether a new comment that may stand for lines, or may speak of what the code does (`// Existing keys are kept as is`), has come in
 * the place of lines of the original.
 */
export function hasDoubtfulElision(lines: readonly string[], original: readonly string[]): boolean {
  const keys = original.map(normalised);
  const [known, written] = [new Set(keys), new Set(lines.map(normalised))];
  const isThere = (line: string): boolean => !isBlank(line) && known.has(normalised(line));
  return lines.some((line, at) => {
    if (isThere(line) || dotted.test(line) || meaningOf(line) !== 'doubtful') return false;
    const [above, below] = [lines.slice(0, at), lines.slice(at + 1)];
    const [first, last] = [above.findLastIndex(isThere), below.findIndex(isThere)];
    if (first < 0 || last < 0) return false;
    const from = keys.indexOf(normalised(above[first] ?? ''));
    const to = keys.indexOf(normalised(below[last] ?? ''), from + 1);
    const gone = original
      .slice(from + 1, Math.max(0, to))
      .filter((each) => isTelling(each) && !written.has(normalised(each)));
    const fresh = [...above.slice(first + 1), ...below.slice(0, last)].filter(isTelling);
    return gone.length > fresh.length;
  });
}

/** Which lines of an abridged text stand for others, given the text that it abridges. A line that stands there, too, is code. */
export function findElisions(lines: readonly string[], original: readonly string[]): number[] {
  const known = new Set(original.map((line) => line.trim()));
  return lines.flatMap((line, at) => {
    if (!isElision(line)) return [];
    if (known.has(line.trim()) && !(bare.test(line) && isLeftOut(lines, at, original))) return [];
    if (bare.test(line) && isStub(lines, at) && !isLeftOut(lines, at, original)) return [];
    return [at];
  });
}

/** `def close(self) -> None:` with nothing but `...` below it: a body of Python's. */
function isStub(lines: readonly string[], at: number): boolean {
  const before = lines.slice(0, at).findLast((line) => !isBlank(line));
  const after = lines.slice(at + 1).find((line) => !isBlank(line));
  const isOnly = after === undefined || columnsOf(after) < columnsOf(lines[at] ?? '');
  return before !== undefined && /:\s*$/.test(before) && isOnly;
}

/** Whether the original has a body where `...` stands. */
function isLeftOut(lines: readonly string[], at: number, original: readonly string[]): boolean {
  const before = lines.slice(0, at).findLast((line) => !isBlank(line));
  if (before === undefined) return false;
  const place = original.findIndex((line) => normalised(line) === normalised(before));
  const next = original.slice(place + 1).find((line) => !isBlank(line));
  return place >= 0 && next !== undefined && columnsOf(next) > columnsOf(original[place] ?? '') && !bare.test(next);
}

/** A text whose elisions are filled in; 'ambiguous' where another reading is as good. */
export type Filled = readonly string[] | 'ambiguous';

/** The largest product of lines that is aligned; what is larger is not filled in. */
const mostAligned = 250_000;

/**
 * Puts back what an abridged text leaves out, by the alignment of its lines with those of the original in which most of them are
 * in both. Only an elision keeps lines that are not written; what it keeps is in the block in which it stands.
 */
export function fillElisions(
  lines: readonly string[],
  elisions: ReadonlySet<number>,
  original: readonly string[],
): Filled {
  if (lines.length * original.length > mostAligned) return 'ambiguous';
  const likeness = likenessOf(lines, original);
  const earliest = align(lines, elisions, original, likeness, -1e-6);
  const latest = align(lines, elisions, original, likeness, 1e-6);
  if (earliest === undefined || latest === undefined) return 'ambiguous';
  if (earliest.join('\n') !== latest.join('\n')) return 'ambiguous';
  // A bracket that a model forgot beside an elision would take what follows along.
  return openBrackets(earliest) === openBrackets(original) ? earliest : 'ambiguous';
}

const [insertion, deletion, leastLikeness] = [-0.12, -0.1, 0.6];

function align(
  lines: readonly string[],
  elisions: ReadonlySet<number>,
  original: readonly string[],
  likeness: Likeness,
  /** Tells readings apart that are as good: less than 0 keeps lines in early elisions, more than 0 in late ones. */
  perKept: number,
): readonly string[] | undefined {
  const [rows, columns] = [lines.length + 1, original.length + 1];
  const score = new Float64Array(rows * columns).fill(Number.NEGATIVE_INFINITY);
  const step = new Uint8Array(rows * columns);
  const weights = [lines.map(weightOf), original.map(weightOf)] as const;
  score[0] = 0;
  const offer = (at: number, value: number, by: number): void => {
    if (value <= (score[at] ?? 0)) return;
    score[at] = value;
    step[at] = by;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const value = score[at] ?? Number.NEGATIVE_INFINITY;
      if (value === Number.NEGATIVE_INFINITY) continue;
      const isGap = elisions.has(row);
      const isLast = column === original.length;
      if (!isLast) {
        const isBorder = row === 0 || row === lines.length - 1;
        if (isGap && (isBorder || isWithin(lines[row] ?? '', original[column] ?? '')))
          offer(at + 1, value + perKept * (1 + row / rows), keep);
        else if (!isGap) offer(at + 1, value + deletion * (weights[1][column] ?? 1), drop);
      }
      if (row === lines.length) continue;
      if (isGap) {
        offer(at + columns, value, leave);
        continue;
      }
      offer(at + columns, value + insertion * (weights[0][row] ?? 1), insert);
      const alike = isLast ? 0 : likeness(row, column);
      // A line that is only alike is worth little, so that it never outweighs one that is the same.
      const worth = alike === 1 ? 1 : alike >= leastLikeness ? (alike - leastLikeness) / 4 + 0.01 : undefined;
      if (worth !== undefined) offer(at + columns + 1, value + worth * (weights[0][row] ?? 1), match);
    }
  }
  return score.at(-1) === Number.NEGATIVE_INFINITY ? undefined : trace(lines, original, step);
}

const [keep, drop, leave, insert, match] = [1, 2, 3, 4, 5] as const;

function trace(lines: readonly string[], original: readonly string[], step: Uint8Array): string[] {
  const filled: string[] = [];
  let [row, column] = [lines.length, original.length];
  while (row > 0 || column > 0) {
    const by = step[row * (original.length + 1) + column];
    if (by === keep) filled.push(original[column - 1] ?? '');
    if (by === insert || by === match) {
      const line = lines[row - 1] ?? '';
      const old = original[column - 1] ?? '';
      filled.push(by === match && isBlank(line) ? old : line);
    }
    if (by === keep || by === drop || by === match) column -= 1;
    if (by === leave || by === insert || by === match) row -= 1;
  }
  return filled.reverse();
}

/** An elision stands at the depth of what it leaves out. */
function isWithin(elision: string, line: string): boolean {
  return isBlank(line) || columnsOf(line) >= columnsOf(elision);
}

function weightOf(line: string): number {
  return isBlank(line) ? 0.02 : isTelling(line) ? 1 : 0.1;
}

/** How alike a written line and one of the original are, 0 to 1. */
type Likeness = (row: number, column: number) => number;

/** Each pair is compared once: words are taken apart for it, which is most of the work. */
function likenessOf(lines: readonly string[], original: readonly string[]): Likeness {
  const [ours, theirs] = [lines.map(normalised), original.map(normalised)];
  const known = new Float32Array(lines.length * original.length).fill(-1);
  const compare: Likeness = (row, column) => {
    const [one = '', other = ''] = [ours[row], theirs[column]];
    const depth = columnsOf(lines[row] ?? '') === columnsOf(original[column] ?? '') || one === '' ? 1 : 0.8;
    if (one === other) return depth;
    if (one === '' || other === '' || !isTelling(one) || !isTelling(other)) return 0;
    const value = similarity(one, other);
    const isSameName = nameOf(one) !== undefined && nameOf(one) === nameOf(other);
    return Math.max(value, isSameName ? 0.7 : 0) * depth * 0.95;
  };
  return (row, column) => {
    const at = row * original.length + column;
    if ((known[at] ?? -1) < 0) known[at] = compare(row, column);
    return known[at] ?? 0;
  };
}

const brackets: Readonly<Record<string, number>> = { '{': 1, '}': -1, '(': 1, ')': -1, '[': 1, ']': -1 };

/** How many brackets more are opened than closed, those in short strings left out. */
export function openBrackets(lines: readonly string[]): number {
  let open = 0;
  for (const line of lines) {
    for (const sign of withoutStrings(line).match(/[{}()[\]]/g) ?? []) open += brackets[sign] ?? 0;
  }
  return open;
}

/** What a line assigns or names. */
function nameOf(text: string): string | undefined {
  return /^(?:(?:const|let|var|val|final|static|pub|export)\s+)*(?:[\w<>[\]]+\s+)?"?([\w$.-]+)"?\s*(?::=|=(?!=)|:(?!:))/.exec(
    text,
  )?.[1];
}

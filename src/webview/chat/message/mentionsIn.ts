/** A name within a text that stands for something attached. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** Its place in the list of names. */
  readonly name: number;
}

/** The most names that become links in one text: more of them are a list, not a sentence. */
const mostMentions = 200;

/** Scripts that part words by spaces: a name within such a word is none. */
const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u;

/**
 * Where a text names what is attached, in order, none within another: `a.ts:3-9` is not `a.ts`. A name counts as a whole only: neither
 * within a longer word nor within a path.
 */
export function mentionsIn(text: string, names: readonly string[]): Mention[] {
  const found: Mention[] = [];
  const longestFirst = [...names.entries()].filter(([, name]) => /\S/.test(name)).sort(byLength);
  for (const [at, name] of longestFirst) {
    for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + name.length)) {
      if (found.length === mostMentions) break;
      const end = start + name.length;
      if (isWhole(text, start, end) && !found.some((each) => start < each.end && each.start < end))
        found.push({ start, end, name: at });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

const byLength = ([, one]: [number, string], [, other]: [number, string]): number => other.length - one.length;

function isWhole(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  const isWithin = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined && letter.test(one) && letter.test(other);
  if (isWithin([...before].at(-1), [...text.slice(start, start + 2)][0])) return false;
  if (isWithin([...text.slice(end - 2, end)].at(-1), [...after][0])) return false;
  // `src/a.ts`, `a.ts/b`, `a.ts.map`, `a.ts-old`, and an `a.ts` behind `the-`.
  return !/[/\\@]$|[\p{L}\p{N}][.-]$/u.test(before) && !/^(?:[/\\]|[.-][\p{L}\p{N}])/u.test(after);
}

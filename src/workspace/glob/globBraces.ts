/** Digits to which a range of numbers is padded at most. */
const longestNumber = 9;

/**
 * The globs that one with braces expands to: `a{b,c}` for `ab` and `ac`, `{1..3}` for three. Braces without a comma or
 * a range are text.
 * @returns undefined when there are more than `most`; expansion stops there
 */
export function expandBraces(glob: string, most: number): string[] | undefined {
  // Plain text multiplies the list by one, so only braces count against `most`.
  let expanded = [''];
  for (let at = 0; at < glob.length; ) {
    const close = glob[at] === '{' && glob[at - 1] !== '$' ? closingBrace(glob, at) : undefined;
    const choices = close === undefined ? undefined : choicesOf(glob.slice(at + 1, close), most);
    if (choices === 'too-many') return undefined;
    const next = choices ?? [glob[at] as string];
    if (expanded.length * next.length > most) return undefined;
    expanded = expanded.flatMap((before) => next.map((choice) => before + choice));
    at = choices === undefined || close === undefined ? at + 1 : close + 1;
  }
  return expanded;
}

function closingBrace(glob: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    if (glob[at] === '{') depth++;
    else if (glob[at] === '}' && --depth === 0) return at;
  }
  return undefined;
}

/** The choices between braces; undefined when there are none. */
function choicesOf(inner: string, most: number): string[] | 'too-many' | undefined {
  const pieces = splitAtCommas(inner);
  if (pieces.length === 1) return rangeOf(inner, most);
  const choices: string[] = [];
  for (const piece of pieces) {
    const expanded = expandBraces(piece, most);
    if (expanded === undefined || choices.length + expanded.length > most) return 'too-many';
    choices.push(...expanded);
  }
  return choices;
}

function splitAtCommas(inner: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '{') depth++;
    else if (inner[at] === '}') depth--;
    else if (inner[at] === ',' && depth === 0) {
      pieces.push(inner.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, inner.slice(from)];
}

/** Expands a range: `1..3`, `01..10`, `a..e`. */
function rangeOf(inner: string, most: number): string[] | 'too-many' | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(inner);
  const [, first = '', last = ''] = numbers ?? letters ?? [];
  if (first === '' || Math.max(first.length, last.length) > longestNumber) return undefined;
  const numberOf = (text: string): number => (numbers === null ? text.charCodeAt(0) : Number(text));
  const [from, to] = [numberOf(first), numberOf(last)];
  const count = Math.abs(to - from) + 1;
  if (count > most) return 'too-many';
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from <= to ? from + index : from - index;
    if (numbers === null) return String.fromCharCode(value);
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
  });
}

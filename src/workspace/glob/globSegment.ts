/** Tests one character of a name. */
type CharacterTest = (character: string) => boolean;

/** A part of a name's pattern: a character, a class or a wildcard. */
export type GlobPart =
  | { kind: 'text'; text: string }
  | { kind: 'any' }
  | { kind: 'class'; test: CharacterTest; isNegated: boolean }
  | { kind: 'star' };

/** Tests one part of a path, between two `/`. */
export type SegmentTest = (name: string) => boolean;

export interface GlobOptions {
  /** Wildcards also match a dot at the beginning of a name. */
  dot?: boolean;
  /** Case is ignored, as on the file systems of macOS and Windows. */
  ignoreCase?: boolean;
}

/**
 * Compiles one part of a glob. No text makes it slow: a star that matching has moved past is never tried again.
 */
export function segmentTest(segment: string, { dot = false, ignoreCase = false }: GlobOptions): SegmentTest {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const parts = parseSegment(fold(segment));
  const matches = partsTest(parts);
  const [first] = parts;
  const isWild = first?.kind === 'star' || first?.kind === 'any' || (first?.kind === 'class' && first.isNegated);
  const isHidden = (name: string): boolean => isWild && !dot && name.startsWith('.');
  const isPlain = parts.every(({ kind }) => kind === 'text');
  if (isPlain) return ignoreCase ? (name) => matches(fold(name)) : matches;
  return (name) => name !== '' && name !== '.' && name !== '..' && !isHidden(name) && matches(fold(name));
}

/** Compiles parts that are parsed already. */
export function partsTest(parts: readonly GlobPart[]): SegmentTest {
  if (parts.some(({ kind }) => kind === 'class' || kind === 'any')) return starMatcher(parts);
  if (parts.some(({ kind }) => kind === 'star')) return piecesMatcher(parts);
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return (name) => name === text;
}

/** Matches text and stars alone: the first and the last piece of text at the ends, the others in between, in order. */
function piecesMatcher(parts: readonly GlobPart[]): SegmentTest {
  const pieces: string[] = [''];
  for (const part of parts) {
    if (part.kind === 'text') pieces.push(`${pieces.pop()}${part.text}`);
    else pieces.push('');
  }
  const [first = ''] = pieces;
  const last = pieces.at(-1) ?? '';
  const inner = pieces.slice(1, -1);
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const piece of inner) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Matches from the left, going back to the last star alone. */
function starMatcher(parts: readonly GlobPart[]): SegmentTest {
  return (name) => {
    let at = 0;
    let part = 0;
    let star: { part: number; at: number } | undefined;
    while (at < name.length || part < parts.length) {
      const here = parts[part];
      if (here?.kind === 'star') {
        star = { part: ++part, at };
        if (part === parts.length) return true;
      } else if (here !== undefined && at < name.length && fits(here, name, at)) {
        at++;
        part++;
      } else if (star !== undefined && star.at < name.length) {
        star.at++;
        at = star.at;
        part = star.part;
      } else return false;
    }
    return true;
  };
}

function fits(part: GlobPart, name: string, at: number): boolean {
  const character = name[at] as string;
  if (part.kind === 'text') return part.text === character;
  if (part.kind === 'class') return part.test(character);
  return part.kind === 'any';
}

/** Parses a segment into parts, one for each character or wildcard; an unclosed bracket is text. */
function parseSegment(segment: string): GlobPart[] {
  const parts: GlobPart[] = [];
  for (let at = 0; at < segment.length; ) {
    const character = segment[at] as string;
    const set = character === '[' ? parseClass(segment, at, segment.length) : undefined;
    if (set !== undefined) parts.push({ kind: 'class', test: set.test, isNegated: set.isNegated });
    else if (character === '?') parts.push({ kind: 'any' });
    else if (character !== '*') parts.push({ kind: 'text', text: character });
    else if (parts.at(-1)?.kind !== 'star') parts.push({ kind: 'star' });
    at = set?.next ?? at + 1;
  }
  return parts;
}

/** Longest character class: one that is not closed by then is text, and `[` after `[` does not search the whole rest. */
const longestClass = 300;

/** The names of POSIX, as members of a class of characters in a regular expression. */
const namedClasses: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{Nl}\\p{Nd}',
  alpha: '\\p{L}\\p{Nl}',
  blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  lower: '\\p{Ll}',
  punct: '\\p{P}',
  space: '\\p{Z}\\t\\r\\n\\v\\f',
  upper: '\\p{Lu}',
  word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}',
  xdigit: 'A-Fa-f0-9',
};

/**
 * The class of characters that begins at a `[`; undefined when it is not closed.
 * @param escapes whether a backslash makes the next character plain
 */
export function parseClass(
  segment: string,
  open: number,
  end: number,
  escapes = false,
): { test: CharacterTest; isNegated: boolean; next: number } | undefined {
  const last = Math.min(end, open + longestClass);
  let at = open + 1;
  const isNegated = segment[at] === '!' || segment[at] === '^';
  if (isNegated) at++;
  const first = at;
  let members = '';
  while (at < last && (segment[at] !== ']' || at === first)) {
    const named = segment[at] === '[' ? /^\[:([a-z]+):\]/.exec(segment.slice(at, at + 12)) : null;
    if (named !== null) {
      members += namedClasses[named[1] ?? ''] ?? '';
      at += named[0].length;
      continue;
    }
    if (escapes && segment[at] === '\\' && at + 1 < end) at++;
    const from = segment[at] as string;
    const isRange = segment[at + 1] === '-' && at + 2 < end && segment[at + 2] !== ']';
    const to = isRange ? (segment[at + 2] as string) : from;
    // A range that runs backwards is empty.
    if (from <= to) members += `${escaped(from)}-${escaped(to)}`;
    at += isRange ? 3 : 1;
  }
  if (at >= last) return undefined;
  // The expression is tested on one character at a time, which cannot take long.
  const shape = members === '' ? undefined : new RegExp(`^[${members}]$`, 'u');
  return { test: (character) => (shape?.test(character) ?? false) !== isNegated, isNegated, next: at + 1 };
}

const escaped = (character: string): string => `\\u{${character.charCodeAt(0).toString(16)}}`;

import { type GlobPart, parseClass, partsTest, type SegmentTest } from './glob/globSegment.ts';

/** A rule of an ignore file. */
export interface IgnoreRule {
  /** Line number, from 1. */
  line: number;
  pattern: string;
  /** The rule takes back paths that an earlier one matched. */
  isNegated: boolean;
}

/** The rules of one ignore file. */
export interface IgnoreRules {
  readonly count: number;
  /**
   * The last rule that matches a path (from the file's folder, with `/`) itself: folders around it are tested on their
   * own.
   */
  find(path: string, isFolder: boolean): IgnoreRule | undefined;
}

interface Shape extends IgnoreRule {
  /** Position among the rules. */
  order: number;
  onlyFolders: boolean;
  /** Segments between the `/`, `**` as undefined; a single one matches a name in any folder. */
  segments: (SegmentTest | undefined)[];
  isAnchored: boolean;
}

/**
 * Parses rules as in `gitignore(5)`, ignoring case. Matching takes time that grows only with the rule and the path,
 * whatever they hold.
 * @param max limit of rules
 * @returns undefined when there are more
 */
export function parseIgnoreRules(text: string, max: number): IgnoreRules | undefined {
  /** Rules without a wildcard, which most are, by name. */
  const byName = new Map<string, Shape[]>();
  const others: Shape[] = [];
  let count = 0;
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    const pattern = trimmed(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (++count > max) return undefined;
    const shape = parseRule(pattern, index + 1, count);
    const name = /^!?[^/*?[\]\\!#]+\/?$/.test(pattern) ? pattern.replace(/^!|\/$/g, '').toLowerCase() : undefined;
    if (name === undefined) others.push(shape);
    else byName.set(name, [...(byName.get(name) ?? []), shape]);
  }
  others.reverse();

  return {
    count,
    find(path, isFolder) {
      const names = path.toLowerCase().split('/');
      const name = names.at(-1) ?? '';
      const named = byName.get(name)?.findLast(({ onlyFolders }) => isFolder || !onlyFolders);
      for (const shape of others) {
        if (named !== undefined && shape.order < named.order) return named;
        if ((isFolder || !shape.onlyFolders) && fits(shape, names)) return shape;
      }
      return named;
    },
  };
}

/** Trims blanks at the end of a line, except one that a backslash keeps. */
function trimmed(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

function parseRule(pattern: string, line: number, order: number): Shape {
  const isNegated = pattern.startsWith('!');
  const bare = isNegated ? pattern.slice(1) : pattern;
  const onlyFolders = bare.endsWith('/');
  const path = onlyFolders ? bare.slice(0, -1) : bare;
  const isAnchored = path.includes('/');
  const segments = segmentsOf(path.replace(/^\//, '')).map((segment) =>
    segment === '**' ? undefined : partsTest(parseName(segment.toLowerCase())),
  );
  return { line, pattern, isNegated, order, onlyFolders, segments, isAnchored };
}

/** Splits a pattern at its `/`, except for those among the characters of a class, which match nothing. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let from = 0;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '\\') at++;
    else if (path[at] === '[') at = (parseClass(path, at, path.length, true)?.next ?? at + 1) - 1;
    else if (path[at] === '/') {
      segments.push(path.slice(from, at));
      from = at + 1;
    }
  }
  return [...segments, path.slice(from)];
}

/** Parses a name with `*`, `?`, `[a-z]` and backslashes that make the next character plain. */
function parseName(name: string): GlobPart[] {
  const parts: GlobPart[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at] as string;
    const set = character === '[' ? parseClass(name, at, name.length, true) : undefined;
    if (set !== undefined) {
      parts.push({ kind: 'class', test: set.test, isNegated: set.isNegated });
      at = set.next - 1;
    } else if (character === '*') {
      if (parts.at(-1)?.kind !== 'star') parts.push({ kind: 'star' });
    } else if (character === '?') parts.push({ kind: 'any' });
    else if (character === '\\' && at + 1 < name.length) parts.push({ kind: 'text', text: name[++at] as string });
    else parts.push({ kind: 'text', text: character });
  }
  return parts;
}

function fits({ segments, isAnchored }: Shape, names: readonly string[]): boolean {
  if (!isAnchored) return segments[0]?.(names.at(-1) ?? '') ?? true;
  let at = 0;
  let segment = 0;
  let star: { segment: number; at: number } | undefined;
  while (at < names.length || segment < segments.length) {
    const here = segments[segment];
    const name = names[at];
    if (segment < segments.length && here === undefined) {
      // A `**` at the end matches files in the folder, and not the folder.
      if (segment === segments.length - 1 && segments.length > 1) return at < names.length;
      star = { segment: ++segment, at };
    } else if (here !== undefined && name !== undefined && here(name)) {
      at++;
      segment++;
    } else if (star !== undefined && star.at < names.length) {
      star.at++;
      at = star.at;
      segment = star.segment;
    } else return false;
  }
  return true;
}

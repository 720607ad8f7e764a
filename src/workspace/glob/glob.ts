import { ServiceError } from '../../base/errors.ts';
import { expandBraces } from './globBraces.ts';
import { type GlobOptions, type SegmentTest, segmentTest } from './globSegment.ts';

/** Bounds of a glob. Globs come from models and other extensions, too; no glob written by a person comes near. */
const globBounds = {
  /** Characters of a glob. */
  length: 500,
  /** Wildcards `*` and `?`. */
  wildcards: 40,
  /** Globs that one with braces expands to. */
  braces: 100,
  /** Globs in one list. */
  list: 100,
} as const;
export type GlobBound = keyof typeof globBounds;

/** On these systems, `A` and `a` are one file. */
const ignoreCase = process.platform === 'darwin' || process.platform === 'win32';

/** The bound that one of the globs exceeds; undefined when all are within. */
export function globFault(globs: readonly string[]): GlobBound | undefined {
  if (globs.length > globBounds.list) return 'list';
  for (const glob of globs) {
    if (glob.length > globBounds.length) return 'length';
    if ((glob.match(/[*?]+/g)?.length ?? 0) > globBounds.wildcards) return 'wildcards';
    if (expandBraces(glob, globBounds.braces) === undefined) return 'braces';
  }
  return undefined;
}

/**
 * Refuses globs that are over a bound.
 * @param param the field or setting they come from
 * @throws ServiceError `invalid-request`; `hint` is the bound and its number
 */
export function checkGlobs(globs: readonly string[], param: string): void {
  const fault = globFault(globs);
  if (fault !== undefined) throw new ServiceError('invalid-request', { param, hint: `${fault} ${globBounds[fault]}` });
}

/**
 * Finds the first of some globs that a path fits, or -1; made once for many paths. Globs are those of VS Code: `*`, `?`, `[a-z]`,
 * `{a,b}`, `**` for any folders; a backslash is a `/`. The time grows with the path and the globs, whatever they hold.
 */
export function compileGlobs(globs: readonly string[], options: GlobOptions = {}): (path: string) => number {
  const tests = globs.map((glob) => {
    const expanded = expandBraces(glob.replaceAll('\\', '/'), globBounds.braces) ?? [];
    return expanded.map((each) => foldersTest(each, { ignoreCase, ...options }));
  });
  return (path) => {
    const names = path.split('/');
    return tests.findIndex((alternatives) => alternatives.some((fits) => fits(names)));
  };
}

type NamesTest = (names: readonly string[]) => boolean;

/** Tests a glob without braces, cut at its `**`: the segments before the first and after the last have fixed positions. */
function foldersTest(glob: string, options: GlobOptions): NamesTest {
  if (glob === '') return () => false;
  const runs: SegmentTest[][] = [[]];
  for (const [index, segment] of glob.split('/').entries()) {
    if (segment === '**') runs.push([]);
    else if (index === 0 || (segment !== '' && segment !== '.')) runs.at(-1)?.push(segmentTest(segment, options));
  }
  const [head = []] = runs;
  if (runs.length === 1) return (names) => names.length === head.length && fitsAt(names, 0, head);
  const tail = runs.at(-1) ?? [];
  const inner = runs.slice(1, -1).filter((run) => run.length > 0);
  // `a/**` matches files in the folder, and not the folder.
  const least = head.length + tail.length + (tail.length === 0 && (head.length > 0 || inner.length > 0) ? 1 : 0);
  const { dot = false } = options;
  const passes = (name: string): boolean => name !== '.' && name !== '..' && (dot || name[0] !== '.');
  return (names) => {
    const end = names.length - tail.length;
    if (names.length < least || !fitsAt(names, end, tail) || !fitsAt(names, 0, head)) return false;
    return fitsBetween(names, head.length, end, inner, passes, tail.length === 0);
  };
}

function fitsAt(names: readonly string[], start: number, run: readonly SegmentTest[]): boolean {
  for (let index = run.length - 1; index >= 0; index--) {
    const name = names[start + index];
    if (name === undefined || !run[index]?.(name)) return false;
  }
  return true;
}

/** Whether the runs occur between two places, each as early as it can, so that none is tried twice at a place. */
function fitsBetween(
  names: readonly string[],
  start: number,
  end: number,
  runs: readonly SegmentTest[][],
  passes: (name: string) => boolean,
  isOpen: boolean,
): boolean {
  let at = start;
  for (const [index, run] of runs.entries()) {
    // A final `**` takes one name at least.
    const last = end - run.length - (isOpen && index === runs.length - 1 ? 1 : 0);
    for (; at <= last && !fitsAt(names, at, run); at++) if (!passes(names[at] ?? '.')) return false;
    if (at > last) return false;
    at += run.length;
  }
  for (; at < end; at++) if (!passes(names[at] ?? '.')) return false;
  return true;
}

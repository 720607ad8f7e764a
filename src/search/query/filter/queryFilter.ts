import { posix } from 'node:path';
import { isInside, relativePath } from '../../../base/paths.ts';
import { checkGlobs, compileGlobs } from '../../../workspace/glob/glob.ts';
import type { PathTest } from '../../types.ts';
import { extensionsOf } from './languages.ts';

/** Filters of a search; an absent one does not narrow it. */
export interface QueryFilters {
  /** Globs: a file has to match one of them, and none that begins with `!`. A glob without `/` matches in any folder. */
  globs: readonly string[];
  /** VS Code's ids, or file name endings: `typescript`, `py`. */
  languages?: readonly string[] | undefined;
  /** The same for languages of which no file may be. */
  notLanguages?: readonly string[] | undefined;
  /** Folder relative to the root, with `/`. */
  folder?: string | undefined;
  /** Folders, as absolute paths, none in another: a file has to be in one of them, and globs go by its path from there. */
  within?: readonly string[] | undefined;
  /** A branch, tag or commit: only files that differ from it, or are new, match. */
  changedSince?: string | undefined;
}

/**
 * The test for all filters together; undefined when they narrow nothing.
 * @param changed for `changedSince`: the changed paths of each root
 * @param roots of the files, where all of them are known
 * @throws ServiceError `invalid-request` for globs over a bound; `param` is `globs`
 */
export function pathTest(
  filters: QueryFilters,
  changed?: ReadonlyMap<string, ReadonlySet<string>>,
  roots: readonly string[] = [],
): PathTest | undefined {
  const { globs, languages = [], notLanguages = [], folder = '', within = [] } = filters;
  checkGlobs(globs, 'globs');
  const included = globs.filter((glob) => !glob.startsWith('!')).map(anywhere);
  const isIncluded = compileGlobs(included, inDotFolders);
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => anywhere(glob.slice(1)));
  const isExcluded = compileGlobs(excluded, inDotFolders);
  const ends = new Set(languages.flatMap(extensionsOf));
  const notEnds = new Set(notLanguages.flatMap(extensionsOf));
  const prefix = folder.replace(/^(\.?\/)+|\/+$/g, '');
  const tests: PathTest[] = [];
  const seen = pathsFrom(within);
  // A test that every file passes costs time for nothing.
  const isAll = roots.length > 0 && roots.every((root) => within.some((place) => isInside(place, root)));
  if (within.length > 0 && !isAll) tests.push((root, path) => seen(root, path) !== undefined);
  if (prefix !== '') tests.push((_, path) => path.startsWith(`${prefix}/`));
  if (ends.size > 0) tests.push((_, path) => ends.has(endOf(path)));
  if (notEnds.size > 0) tests.push((_, path) => !notEnds.has(endOf(path)));
  if (changed !== undefined) tests.push((root, path) => changed.get(root)?.has(path) ?? false);
  if (included.length > 0) tests.push((root, path) => isIncluded(seen(root, path) ?? path) >= 0);
  if (excluded.length > 0) tests.push((root, path) => isExcluded(seen(root, path) ?? path) < 0);
  return tests.length === 0 ? undefined : (root, path) => tests.every((test) => test(root, path));
}

/** As in VS Code, wildcards go into `.github` like into any other folder. */
const inDotFolders = { dot: true } as const;

/** A glob with a slash goes by the whole path: `./a.ts` and `/a.ts` name one file. */
const anywhere = (glob: string): string => (glob.includes('/') ? glob.replace(/^(?:\.?\/)+/, '') : `**/${glob}`);

/**
 * The path of a file as it is seen from the folder that it is in, with `/`; undefined where it is in none of them. A folder may be in a root, be
 * one, or have roots in it. Without folders, it is seen from its root.
 */
function pathsFrom(folders: readonly string[]): (root: string, path: string) => string | undefined {
  if (folders.length === 0) return (_, path) => path;
  const ways = new Map<string, (path: string) => string | undefined>();
  return (root, path) => {
    const way = ways.get(root) ?? wayFrom(folders, root);
    ways.set(root, way);
    return way(path);
  };
}

function wayFrom(folders: readonly string[], root: string): (path: string) => string | undefined {
  const down = folders.map((folder) => relativePath(folder, root)).find((way) => way !== undefined);
  if (down !== undefined) return (path) => (down === '' ? path : `${down}/${path}`);
  const starts = folders.flatMap((folder) => relativePath(root, folder) ?? []).map((start) => `${start}/`);
  return (path) => {
    const start = starts.find((each) => path.startsWith(each));
    return start === undefined ? undefined : path.slice(start.length);
  };
}

/** The part after the last dot of a file's name, or the whole name, in lower case: `Makefile` has no dot. */
function endOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Combines two tests: a file has to pass both. */
export function bothTests(one: PathTest | undefined, other: PathTest | undefined): PathTest | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (root, path) => one(root, path) && other(root, path);
}

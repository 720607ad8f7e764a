import { posix } from 'node:path';
import { extensionsOf } from './languages.ts';

/** What narrows a search; an absent one narrows nothing. */
export interface QueryFilters {
  /** A file has to match one of these, and none that begin with `!`. One without `/` is for any folder. */
  globs: readonly string[];
  /** VS Code's ids, or ends of file names: `typescript`, `py`. */
  languages?: readonly string[] | undefined;
  /** Relative to the root, with `/`. */
  folder?: string | undefined;
  /** A branch, tag or commit: only files that differ from it, or are new. */
  changedSince?: string | undefined;
}

/** Whether a file, by its root and the path under it, may be searched. */
export type PathTest = (root: string, path: string) => boolean;

/**
 * The test for all filters together; undefined when they narrow nothing.
 * @param changed for `changedSince`: the changed paths of each root
 */
export function pathTest(
  filters: QueryFilters,
  changed?: ReadonlyMap<string, ReadonlySet<string>>,
): PathTest | undefined {
  const { globs, languages = [], folder = '' } = filters;
  const included = globs.filter((glob) => !glob.startsWith('!')).map(anywhere);
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => anywhere(glob.slice(1)));
  const ends = new Set(languages.flatMap(extensionsOf));
  const prefix = folder.replace(/^(\.?\/)+|\/+$/g, '');
  const tests: PathTest[] = [];
  if (prefix !== '') tests.push((_, path) => path.startsWith(`${prefix}/`));
  if (ends.size > 0) tests.push((_, path) => ends.has(endOf(path)));
  if (changed !== undefined) tests.push((root, path) => changed.get(root)?.has(path) ?? false);
  if (included.length > 0) tests.push((_, path) => included.some((glob) => posix.matchesGlob(path, glob)));
  if (excluded.length > 0) tests.push((_, path) => !excluded.some((glob) => posix.matchesGlob(path, glob)));
  return tests.length === 0 ? undefined : (root, path) => tests.every((test) => test(root, path));
}

const anywhere = (glob: string): string => (glob.includes('/') ? glob : `**/${glob}`);

/** What follows the last dot of a file's name, or the whole name, in lower case: `Makefile` has no dot. */
function endOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/**
 * Takes the operators out of a question: `lang:ts`, `path:src/` (a folder of that name), `path:gate` (a part of a file's or
 * folder's name), `path:*.md` (a glob), the same with `-` before `path:` to leave out, and `changed:main`. What is in quotes is text.
 */
export function parseQuery(question: string): { text: string; filters: QueryFilters } {
  const globs: string[] = [];
  const languages: string[] = [];
  let changedSince: string | undefined;
  const text = question.replace(
    /"[^"]*"|(?<=^|\s)(-?)(lang|path|changed):(\S+)/g,
    (whole: string, minus: string | undefined, operator: string | undefined, value = '') => {
      if (operator === 'path') globs.push(...globsOf(value).map((glob) => (minus === '-' ? `!${glob}` : glob)));
      else if (operator === undefined || minus === '-') return whole;
      else if (operator === 'lang') languages.push(...value.split(','));
      else changedSince = value;
      return '';
    },
  );
  const filters = {
    globs,
    ...(languages.length > 0 ? { languages } : {}),
    ...(changedSince === undefined ? {} : { changedSince }),
  };
  return { text: text.replace(/\s+/g, ' ').trim(), filters };
}

function globsOf(value: string): string[] {
  if (/[*?[{]/.test(value)) return [value];
  const path = value.replace(/^\.?\/+/, '');
  return path.endsWith('/') ? [`**/${path}**`] : [`**/*${path}*`, `**/*${path}*/**`];
}

/** Both filters at once: a file has to get through each. */
export function bothTests(one: PathTest | undefined, other: PathTest | undefined): PathTest | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (root, path) => one(root, path) && other(root, path);
}

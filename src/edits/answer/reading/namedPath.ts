import { isAbsolutePath, readFileName } from '../../../webview/shared/fileName.ts';
import { fileInComment, fileInInfo, fileInProse, type NamedInText } from '../../../webview/shared/namedInText.ts';

/** The path that is named, or the words that should be one: `matchPath` knows that nobody can tell what they mean. */
const textOf = (named: NamedInText | undefined): string | undefined =>
  named?.kind === 'path' ? named.path : named?.text;

/** The file that is named behind a fence. */
export function pathInInfo(info: string): string | undefined {
  // A path out of the workspace names a file, too, though none that may be changed.
  return textOf(fileInInfo(info)) ?? info.split(/\s+/).find((word) => /^\.\.[\\/]/.test(word));
}

/** The file that the last lines of prose before a fence name. */
export function pathInProse(lines: readonly string[]): string | undefined {
  return textOf(fileInProse(lines));
}

/** The file that the first line of code names, where it is a comment with nothing but a name. */
export function pathInComment(line: string | undefined): string | undefined {
  return textOf(fileInComment(line));
}

/** A path of an answer as those of the workspace are written. */
export function cleanPath(named: string): string {
  const path = readFileName(named, 'link')?.path ?? named.replaceAll('\\', '/');
  return path.replace(/^(?:\.\/|\/)+/, '');
}

/**
 * The file that a path of an answer names: the same path, or the only one that ends so; all of them where several do. None (an empty
 * list) where nobody can tell what is meant: words that are no path, or a place outside of what is known.
 * @param edited the file in the editor, whose path may be that within its project, and lack folders that the answer has before it
 */
export function matchPath(
  named: string,
  paths: Iterable<string>,
  edited?: string | undefined,
): string | readonly string[] | undefined {
  const all = [...paths];
  if (all.includes(named)) return named;
  const clean = cleanPath(named).replace(/^(?:\.\.\/)+/, '');
  const isAbsolute = isAbsolutePath(named) || /^file:\/\//i.test(named);
  const found = matchClean(clean, all, edited, isAbsolute);
  if (found !== undefined) return found;
  // The sides of a diff have a folder before them.
  const side = /^[ab]\/(.+)$/.exec(clean)?.[1];
  const beside = side === undefined ? undefined : matchClean(side, all, edited, false);
  if (beside !== undefined) return beside;
  const isUnder = all.some((each) => each.includes('/') && each.split('/', 1)[0] === clean.split('/', 1)[0]);
  return readFileName(named, 'label') === undefined || (isAbsolute && !isUnder) ? [] : undefined;
}

function matchClean(
  clean: string,
  all: readonly string[],
  edited: string | undefined,
  isAbsolute: boolean,
): string | readonly string[] | undefined {
  const same = (a: string, b: string): boolean => a.normalize() === b.normalize();
  const endsWith = (a: string, b: string): boolean => a.normalize().endsWith(`/${b.normalize()}`);
  const exact = all.find((each) => same(each, clean));
  if (exact !== undefined) return exact;
  if (isAbsolute) {
    const within = all.filter((each) => endsWith(clean, each)).sort((a, b) => b.length - a.length);
    if (within[0] !== undefined) return within[0];
  }
  // A path without folders says nothing of those before it: `packages/x/package.json` is another file than `package.json`.
  const ends = all.filter(
    (each) => endsWith(each, clean) || (edited?.includes('/') && each === edited && endsWith(clean, each)),
  );
  return ends.length > 1 ? ends : ends[0];
}

import { unquoteName } from '../workspace/git/quotedName.ts';

/** The path behind `+++ ` or `--- ` in a diff, without the `a/` or `b/` in front of it; undefined where there is no such file. */
export function readGitPath(written: string): string | undefined {
  // Git puts a tab behind a name with spaces.
  const name = written.replace(/[\t\r].*$/, '');
  const path = name.startsWith('"') ? unquoteName(name) : name;
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}

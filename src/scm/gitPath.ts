/** The path behind `+++ ` or `--- ` in a diff, without the `a/` or `b/` in front of it; undefined where there is no such file. */
export function readGitPath(written: string): string | undefined {
  // Git puts a tab behind a name with spaces.
  const name = written.replace(/[\t\r].*$/, '');
  const path = name.startsWith('"') ? unquoted(name) : name;
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name as git quotes it: bytes of UTF-8 in octal, and a backslash before quotes. */
function unquoted(name: string): string {
  const bytes: number[] = [];
  for (const [piece, escaped] of name.slice(1).matchAll(/\\([0-7]{3}|.)|[^\\"]+/g)) {
    if (escaped === undefined) bytes.push(...Buffer.from(piece));
    else if (/^[0-7]/.test(escaped)) bytes.push(Number.parseInt(escaped, 8) & 255);
    else bytes.push(...(escapes[escaped] === undefined ? Buffer.from(escaped) : [escapes[escaped]]));
  }
  return Buffer.from(bytes).toString();
}

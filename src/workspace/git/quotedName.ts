const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name that git has put into quotes: bytes of UTF-8 in octal, and a backslash before quotes. @param name with its quotes */
export function unquoteName(name: string): string {
  const bytes: number[] = [];
  for (const [piece, escaped] of name.slice(1).matchAll(/\\([0-7]{3}|.)|[^\\"]+/g)) {
    if (escaped === undefined) bytes.push(...Buffer.from(piece));
    else if (/^[0-7]/.test(escaped)) bytes.push(Number.parseInt(escaped, 8) & 255);
    else bytes.push(...(escapes[escaped] === undefined ? Buffer.from(escaped) : [escapes[escaped]]));
  }
  return Buffer.from(bytes).toString();
}

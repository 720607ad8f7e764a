/** Length of a line beyond which it is no code that somebody wrote, in UTF-16 units. */
const longest = 2_000;

/** A line without the strings that begin and end in it; a very long line as it is. */
export function withoutStrings(line: string): string {
  return line.length > longest ? line : line.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '');
}

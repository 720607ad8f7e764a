/** Code in a Markdown fence that nothing inside can close: longer than any run of backticks in it. */
export function fenced(code: string, language: string): string {
  // The loop replaces a spread of all runs: a text with a hundred thousand of them would not fit on the stack.
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Lines of a hit, counted from 1, both ends included; `line` is the one that best shows why. */
export interface HitLines {
  startLine: number;
  endLine: number;
  line: number;
}

/** One change of a document, as VS Code tells it: places counted from 0, `end` not included. */
export interface Change {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly text: string;
}

/** Where the lines of a hit are after a change, and whether it was made inside them. */
export function moveLines(lines: HitLines, { start, end, text }: Change): HitLines & { touched: boolean } {
  const first = start.line + 1;
  const last = end.line + 1;
  const added = (text.match(/\r\n|\r|\n/g) ?? []).length - (end.line - start.line);
  if (first > lines.endLine) return { ...lines, touched: false };
  // Whole lines put before a line, or taken from there, end at its beginning and leave it as it is.
  const endsBefore = end.character === 0 && (/[\r\n]$/.test(text) || (text === '' && start.character === 0));
  if (last < lines.startLine || (last === lines.startLine && endsBefore)) {
    const { startLine, endLine, line } = lines;
    return { startLine: startLine + added, endLine: endLine + added, line: line + added, touched: false };
  }
  const startLine = Math.min(lines.startLine, first);
  const endLine = Math.max(startLine, lines.endLine + added);
  const line = last < lines.line || (last === lines.line && endsBefore) ? lines.line + added : lines.line;
  return { startLine, endLine, line: Math.min(Math.max(line, startLine), endLine), touched: true };
}

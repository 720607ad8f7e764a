import { blank, midLine, type Units } from './units.ts';

/**
 * The blocks around the start of each chunk, by falling indentation: their first lines, of the innermost three, from
 * the outside in.
 * @param starts the first unit of each chunk, ascending.
 */
export function outlineOf(text: string, units: Units, starts: readonly number[]): string[][] {
  const open: number[] = [];
  const found: string[][] = [];
  let unit = 0;
  for (const start of starts) {
    let inner = start;
    while (inner < units.count && (units.indents[inner] as number) < 0) inner++;
    const indent = units.indents[inner] ?? 0;
    for (; unit < start; unit++) {
      const own = units.indents[unit] as number;
      if (own === blank || own === midLine) continue;
      while (open.length > 0 && (units.indents[open.at(-1) as number] as number) >= own) open.pop();
      // A line without a letter has no name to give, but closes the blocks before it.
      open.push(unit);
    }
    const around = open.filter((line) => (units.indents[line] as number) < indent);
    const names = around.map((line) => text.slice(units.starts[line], (units.starts[line] as number) + 140).trim());
    found.push(
      names
        .map((name) => name.split('\n', 1)[0]?.trim().slice(0, 100) ?? '')
        .filter((name) => /[\p{L}\p{N}]/u.test(name))
        .slice(-3),
    );
  }
  return found;
}

/** The text that is embedded: path and enclosing names tell the model where the code stands. */
export function embeddedText(path: string, enclosing: readonly string[], text: string): string {
  return `${[path, ...enclosing].join('\n')}\n\n${text}`;
}

/** The longest pattern or name, in characters. */
const longestPattern = 256;

/**
 * Whether the name of a model fits a pattern, in which `*` stands for any text. The pieces between the stars are looked for
 * from left to right and never twice, so no pattern takes long.
 */
export function fitsPattern(pattern: string, model: string): boolean {
  if (pattern.length > longestPattern) return false;
  const [first = '', ...pieces] = pattern.toLowerCase().split('*');
  const name = model.toLowerCase();
  const last = pieces.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

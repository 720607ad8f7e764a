/**
 * The models that a typed text may mean: those whose names hold each of its words, in any order (“qwen3 coder” is Qwen/Qwen3-Coder-30B).
 * Where there is none, those that have the letters of each word one after the other.
 */
export function modelsMatching<T extends { readonly label: string }>(items: readonly T[], typed: string): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holding = (holds: (name: string, word: string) => boolean): T[] =>
    items.filter(({ label }) => words.every((word) => holds(label.toLowerCase(), word)));
  const whole = holding((name, word) => name.includes(word));
  return whole.length > 0 ? whole : holding(hasLetters);
}

/** Whether a name has the letters of a word in their order. */
function hasLetters(name: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    const found = name.indexOf(letter, at);
    if (found < 0) return false;
    at = found + letter.length;
  }
  return true;
}

/** How bad a finding is, in the three words that the model is asked for. */
export type Severity = 'bug' | 'risk' | 'style';

const words: Readonly<Record<Severity, readonly string[]>> = {
  bug: ['bug', 'error', 'critical', 'blocker', 'high', 'major', 'defect'],
  risk: ['risk', 'warning', 'warn', 'medium', 'moderate', 'security', 'performance', 'correctness'],
  style: ['style', 'nit', 'nitpick', 'info', 'note', 'low', 'minor', 'suggestion', 'readability', 'maintainability'],
};
const meaning = new Map(
  Object.entries(words).flatMap(([severity, all]) => all.map((word) => [word, severity as Severity] as const)),
);
const all = [...meaning.keys()].join('|');

/** A word at the beginning, in marks or with a divider behind it: “error handling is missing” has none. */
const leading = new RegExp(
  `^[*_\`[("\\s]{0,8}(${all})(?:[*_\`\\])"]{1,4}[\\s:|–—-]{0,6}|\\s{0,2}[:|][*_\`\\s]{0,6}|\\s{1,2}[–—-]\\s{1,2}|\\s{0,2}$)`,
  'i',
);

/** Takes the severity off the beginning of a text. */
export function takeSeverity(text: string): { severity: Severity | undefined; rest: string } {
  const found = leading.exec(text);
  if (found === null) return { severity: undefined, rest: text };
  return { severity: severityOf(found[1]), rest: text.slice(found[0].length) };
}

/** The severity that a word stands for. */
export function severityOf(word: unknown): Severity | undefined {
  return typeof word === 'string' ? meaning.get(word.trim().toLowerCase()) : undefined;
}

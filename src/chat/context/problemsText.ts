/** A problem that an editor's language tools found: lines and columns from 1. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Who says so, and the number of what they say: `ts 2304`. */
  readonly source: string;
}

const mostProblems = 300;
const longestMessage = 1_000;
const order = ['error', 'warning', 'information', 'hint'] as const;

/** Problems as a list, errors first, as compilers write them. */
export function problemsText(problems: readonly Problem[]): string {
  const sorted = [...problems].sort(
    (a, b) =>
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      (a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1),
  );
  const rest = sorted.length - mostProblems;
  const lines = sorted.slice(0, mostProblems).map(({ path, line, column, severity, message, source }) => {
    const said = message.slice(0, longestMessage).replaceAll(/\s*\n\s*/g, ' ');
    return `${path}:${line}:${column}: ${severity}: ${said}${source === '' ? '' : ` [${source}]`}`;
  });
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

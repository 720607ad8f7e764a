/** What a reviewer sees in a line that was added. The message may use `$1` for what the pattern held. */
const rules: readonly { readonly sees: RegExp; readonly severity: string; readonly message: string }[] = [
  {
    sees: /(\w+)\.forEach\(async\b/,
    severity: 'bug',
    message:
      '`forEach` does not wait for an `async` function: the caller goes on **before anything is sent**, and a failure is lost. Use `for (const … of $1)` with `await`.',
  },
  {
    sees: /\bJSON\.parse\(/,
    severity: 'risk',
    message:
      '`JSON.parse` throws without the name of the file, and what it gives is not checked. Catch the error, say which file it was, and check the shape.',
  },
  {
    sees: /\bcatch \{\s*\}/,
    severity: 'bug',
    message: 'The error is swallowed: say what happened, or let it go on to the caller.',
  },
  {
    sees: /\b(\w+Sync)\(/,
    severity: 'style',
    message: '`$1` holds up every other request while it reads: use its promise from `node:fs/promises`.',
  },
];

/** Findings in the added lines of a diff: `review: …` in the line's own words, and what the rules see. */
export function reviewDiff(question: string): string {
  const findings: string[] = [];
  let path = '';
  for (const text of question.split('\n')) {
    path = /^File: (.*)$/.exec(text)?.[1] ?? path;
    const [, number, added = ''] = /^ *(\d+) \+ (.*)$/.exec(text) ?? [];
    if (number === undefined) continue;
    for (const finding of seenIn(added)) findings.push(JSON.stringify({ path, line: Number(number), ...finding }));
  }
  return findings.length === 0 ? '[]' : findings.join('\n');
}

function seenIn(line: string): { severity?: string | undefined; message: string }[] {
  const [, words] = /\breview: (.*)$/.exec(line) ?? [];
  if (words !== undefined) {
    const [, severity, message = words] = /^(\w+): (.*)$/.exec(words) ?? [];
    return [{ severity, message }];
  }
  const rule = rules.find(({ sees }) => sees.test(line));
  if (rule === undefined) return [];
  const [, held = ''] = rule.sees.exec(line) ?? [];
  return [{ severity: rule.severity, message: rule.message.replaceAll('$1', held) }];
}

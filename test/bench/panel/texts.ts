import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../../host/paths.ts';

const workspace = join(root, 'test', 'fixtures', 'workspace');
/** Files of the sample workspace: real code in ten languages, which changes for no version of Parley. */
const files = [
  ...['src/berths.ts', 'src/http/retry.ts', 'src/tides/loadTable.ts', 'src/mail.ts', 'src/web/bookingButton.tsx'],
  ...['forecast/harmonics.py', 'forecast/fit.py', 'gateway/ratelimit.go', 'sensors/src/gauge.rs'],
  ...['api/harbour/Tariff.java', 'engine/ring_buffer.c', 'db/schema.sql', 'scripts/backup.sh', 'src/web/theme.css'],
] as const;
const languages: Readonly<Record<string, string>> = { rs: 'rust', py: 'python', sh: 'bash' };

interface CodeFile {
  readonly path: string;
  readonly language: string;
  /** Without the line break at its end. */
  readonly code: string;
}

function codeFiles(): CodeFile[] {
  return files.map((path) => {
    const ending = extname(path).slice(1);
    const code = readFileSync(join(workspace, path), 'utf8').trimEnd();
    return { path, language: languages[ending] ?? ending, code };
  });
}

const fence = ({ language, code }: CodeFile): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** What a model writes around code: paragraphs, lists, names, links and emphasis. */
const prose = (step: number, { path }: CodeFile): string => `\
The part in \`${path}\` is **step ${step}** of the booking: it takes what the step before it gave, and *never* asks for it twice.
A caller that has to wait is told so; see [the notes on step ${step}](https://example.com/notes/${step}) for the reasons, which
have to do with how tides are predicted, how long a boat may stay, and who pays for what.

1. What comes in is checked before anything else, so that \`step${step}\` can rely on it.
2. What cannot be read is left out and counted.
   - The count is shown to the harbour office.
   - **Nothing** is thrown away without a word.
3. The result goes to step ${step + 1}, as it is.

> Whoever changes this should read what \`step${step}\` promised to the steps after it.

The one case that is not obvious: between the check and the use, the water may have fallen. That is why the height is read again,
and why a difference of more than ${step + 2} cm ends the booking with a sentence that says what to do now.`;

/** An answer as models write them: prose and code in turns, 40 KB of it. */
export function codeAnswer(bytes = 40 * 1024): string {
  const all = codeFiles();
  const parts: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const file = all[i % all.length] as CodeFile;
    const part = `## Step ${i + 1}: ${file.path}\n\n${prose(i + 1, file)}\n\n${fence(file)}`;
    parts.push(part);
    length += Buffer.byteLength(part) + 2;
  }
  return `${parts.join('\n\n')}\n`;
}

/** The code of the fences of `codeAnswer`, in order. */
export const codeOf = (answer: string): string[] =>
  [...answer.matchAll(/^```\w+\n(?<code>[\s\S]*?)\n```$/gm)].map((found) => found.groups?.['code'] ?? '');

function table(rows: number): string {
  const row = (i: number): string =>
    `| ${i} | \`GET /tides/${i}\` | **${(i * 7919) % 1000}** ms | ${i % 3 === 0 ? 'retried' : 'not retried'} |`;
  return ['| # | request | time | after a 429 |', '|---|:---|---:|:---:|', ...range(rows).map(row)].join('\n');
}

function nestedList(items: number): string {
  const line = (i: number): string =>
    `${'   '.repeat(i % 5)}${i % 5 === 0 ? '1.' : '-'} Item ${i} with \`code\` and **weight**`;
  return range(items).map(line).join('\n');
}

const math = [
  'The height is $h(t) = h_0 + \\sum_{i=1}^{n} A_i \\cos(\\omega_i t + \\varphi_i)$, and its error is bounded:',
  '$$\n\\left| h(t) - \\hat{h}(t) \\right| \\le \\sum_{i=n+1}^{\\infty} |A_i| \\le \\frac{\\varepsilon}{2\\pi} \\int_0^{T} e^{-x^2} \\, dx\n$$',
].join('\n\n');

const rightToLeft = [
  'גובה המים נקרא פעמיים: פעם אחת כאשר ההזמנה מתקבלת, ופעם נוספת כאשר הסירה מגיעה אל `berths.ts` בנמל.',
  'يُقرأ ارتفاع الماء مرتين: مرة عند قبول الحجز، ومرة أخرى عند وصول القارب إلى **الميناء** قبل الساعة 18:00.',
  '> מי שמשנה את זה צריך לקרוא קודם מה הובטח לשלבים הבאים, كما هو مكتوب في الملاحظات.',
].join('\n\n');

/** One line of 10 KB, as a log or a minified file has. */
const longLine = range(420)
  .map((i) => `"tide${i}":{"height":${(i * 31) % 700}},`)
  .join('');

/** 50 KB of everything that Markdown has: tables, nested lists, 20 blocks of code, math, right-to-left text, a line of 10 KB. */
export function everything(): string {
  const all = codeFiles();
  const parts = range(20).flatMap((i) => {
    const file = all[i % all.length] as CodeFile;
    const code = { ...file, code: file.code.split('\n').slice(0, 28).join('\n') };
    const extra = [table(24), nestedList(36), math, rightToLeft][i % 4] ?? '';
    return [`### ${i + 1}. ${file.path}`, extra, fence(code)];
  });
  return `${[...parts.slice(0, 30), longLine, ...parts.slice(30), table(60), nestedList(60)].join('\n\n')}\n`;
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

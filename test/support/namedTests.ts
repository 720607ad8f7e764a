import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The cells of those rows of a table in Markdown whose first cell is such a number. */
export function readRows(path: string, number: RegExp): string[][] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
    .filter(([first = '']) => number.test(first));
}

/** What keeps a test of this title in this file from proving anything; undefined where it runs. */
export function whyNotRun(file: string, title: string): string | undefined {
  const path = join(root, file);
  if (file === '' || !existsSync(path)) return `no such file: ${file}`;
  if (title === '') return 'no title';
  return runs(readFileSync(path, 'utf8'), title) ? undefined : `missing or skipped in ${file}: ${title}`;
}

/**
 * Whether the text defines a test of this title that is not skipped, a stream of the corpus (`sound`, `broken`), or a case of a table by this name that is not left
 * out of the table's short form. A test that is left out on some systems only is one that runs: where it is left out, the runners
 * count it as failed.
 */
export function runs(text: string, title: string): boolean {
  const code = text.replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '').replaceAll("\\'", "'");
  if (/^\s*(?:(?:describe|suite)\.(?:skip|todo)|(?:describe|suite|it|test)\.only)\(/m.test(code)) return false;
  const quoted = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const test = new RegExp(`\\b(?:(?:it|test|sound|broken)\\(\\s*|name: )(['"\`])${quoted}\\1([^\\n]*\\n?[^\\n]*)`).exec(
    code,
  );
  if (test === null) return false;
  // Where a table has a short form, `npm test` runs no more than that.
  if (test[0].startsWith('name:') && /\bshort\?: true/.test(code))
    return caseAt(code, test.index).includes('short: true');
  return !/^,\s*\{[^}]*\b(?:skip|todo): *(?:true|['"`])/.test(test[2] ?? '');
}

/** A case of a table from its name on, to where the next one begins. */
function caseAt(code: string, index: number): string {
  const next = code.indexOf('name: ', index + 1);
  return code.slice(index, next < 0 ? undefined : next);
}

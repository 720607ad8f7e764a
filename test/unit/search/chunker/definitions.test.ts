import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chunkFile } from '../../../../src/search/chunker/chunker.ts';

const folder = new URL('../../../corpus/definitions/', import.meta.url).pathname;

/** A source, and the names it defines. */
interface Form {
  source: string;
  names: string[];
}

/** The path that chooses the language, and its forms (test/corpus/definitions/README.md). */
function readForms(file: string): { path: string; forms: Form[] } {
  const [head = '', ...parts] = readFileSync(folder + file, 'utf8').split(/^@@@@(?: |(?=\n))/m);
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1];
  const before = field('before');
  const forms = parts.map((part) => {
    const end = part.indexOf('\n');
    const source = part.slice(end + 1);
    return {
      source: before === undefined ? source : `${before}\n${source}`,
      names: part.slice(0, end).split(' ').filter(Boolean),
    };
  });
  return { path: field('path') ?? '', forms };
}

const files = globSync('*.txt', { cwd: folder }).sort();
let forms = 0;

for (const file of files) {
  const language = readForms(file);
  forms += language.forms.length;
  test(`the declarations of ${file.replace('.txt', '')} give their names, and nothing else does`, async () => {
    const wrong: unknown[] = [];
    for (const { source, names } of language.forms) {
      const found = (await chunkFile(language.path, source)).flatMap((chunk) => chunk.names);
      if (found.join(' ') !== names.join(' ')) wrong.push({ source, found: found.join(' '), names: names.join(' ') });
    }
    assert.deepEqual(wrong, []);
  });
}

test('there are at least 150 forms', () => assert.ok(forms >= 150, String(forms)));

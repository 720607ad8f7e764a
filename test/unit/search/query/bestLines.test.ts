import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bestLines } from '../../../../src/search/query/bestLines.ts';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';
import { stem } from '../../../../src/search/store/stem.ts';

const root = join(import.meta.dirname, '../../../..');

function linesFor(question: string, lines: readonly string[]) {
  const chunk = {
    id: 1,
    root: '',
    path: 'a.ts',
    startLine: 1,
    endLine: lines.length,
    text: lines.join('\n'),
    names: [],
  };
  return bestLines(chunk, readTerms(question));
}

describe('the lines that show why a chunk was found', () => {
  test('have the words of the question, in whatever form: all words of the documentation, each asked for by another form of it', () => {
    const forms = new Map<string, Set<string>>();
    for (const file of globSync('{docs/,}*.md', { cwd: root })) {
      for (const [word] of readFileSync(join(root, file), 'utf8')
        .toLowerCase()
        .matchAll(/[a-z]{3,}/g)) {
        const same = forms.get(stem(word)) ?? new Set();
        forms.set(stem(word), same.add(word));
      }
    }
    let asked = 0;
    for (const words of forms.values()) {
      const [first = '', ...others] = words;
      for (const other of others) {
        asked++;
        assert.equal(linesFor(first, ['+ 1', `= ${other};`, '- 2']).line, 2, `${first}, ${other}`);
      }
    }
    assert.ok(asked > 300, String(asked));
  });

  test('without any word of it are definitions, else the first line with text', () => {
    const lines = ['', '// some', 'function one() {}', 'call();', 'function two() {}'];
    assert.deepEqual(linesFor('elsewhere', lines).lines, [3, 5]);
    assert.deepEqual(linesFor('elsewhere', ['{', 'call();', 'more();']).lines, [2]);
  });

  test('prefer a declaration of the words to an import or a link of them', () => {
    const lines = ["import { gate } from './gate';", '// https://gate.example', 'const gate = 1;', 'other();'];
    assert.equal(linesFor('gate', lines).line, 3);
  });
});

test('a line is the best by a word of any language, in another form or as a part of a compound', () => {
  const best = (lines: string[], question: string): string => {
    const chunk = { id: 1, root: '/w', path: 'a.ts', startLine: 1, endLine: lines.length, text: lines.join('\n') };
    return bestLines(chunk, readTerms(question)).preview;
  };
  const german = ['export function a() {}', '// Prüft den Dateizugriff', '// und schreibt die Groesse nicht'];
  assert.equal(best(german, 'Zugriff'), german[1]);
  assert.equal(best(german, 'Größe'), german[2]);
  const chinese = ['export function a() {}', '// 合并默认值', '// 读取配置文件'];
  assert.equal(best(chinese, '配置文件'), chinese[2]);
  const russian = ['export function a() {}', '// Ёлка растёт', '// список токенов'];
  assert.equal(best(russian, 'токены'), russian[2]);
  assert.equal(best(russian, 'ёлку'), russian[1]);
});

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { chunkerVersion, chunkFile } from '../../../../src/search/chunker/chunker.ts';
import { smallSources } from '../../../support/smallSources.ts';

/** The texts, lines and enclosing blocks of all chunks, in few letters. */
async function digestOf(path: string, text: string): Promise<string> {
  const chunks = await chunkFile(path, text);
  const cut = chunks.map(({ startLine, endLine, text, enclosing }) => [startLine, endLine, text, enclosing]);
  return hash('sha256', JSON.stringify(cut)).slice(0, 8);
}

/** Those of version 4, which cuts Kotlin and Scala otherwise than 3 did. A change that moves them costs every user the vectors of the chunks that move, so it raises the version. */
const kept: Record<string, string> = {
  'a.py': 'eb227e7b 1adce8f2',
  'a.go': '77dfe14c 194e6136',
  'a.rs': '0fa8d2ab 1507bd0d',
  'a.java': '5c71a0eb dfab6a7b',
  'a.rb': 'e36134d8 36752e59',
  'a.php': '7343afbe 3b9c4808',
  'a.sh': '588d17c9 12f542ee',
  'a.cs': 'dd5cc787 af7f9ad4',
  'a.cpp': 'a5eb5c8b f3952e9f',
  'a.ps1': '34826a72 ad9d0b4d',
  'a.ini': '6bf4d064 66e48afc',
  'a.tsx': 'c9feae04 21baf5d7',
  'a.kt': '8d10ffab 9d62fbbb',
  'a.scala': 'cd21a67c cb31e919',
  'a.yaml': '41b74a38 2adee4ff',
  'a.sql': '6b9f5c99 6146c5e3',
  'a.html': 'a698c11f 4afbf629',
};

test('the borders are those of the version: an index keeps its vectors', async () => {
  assert.equal(chunkerVersion, 4);
  const found: Record<string, string> = {};
  for (const [path, text] of Object.entries(smallSources)) {
    const numbered = Array.from({ length: 60 }, (_, index) => text.replaceAll(/edger/g, `edger${index % 7}`)).join('');
    found[path] = `${await digestOf(path, numbered)} ${await digestOf(path, text)}`;
  }
  assert.deepEqual(found, kept);
});

/** Real code as the files and chunks of a team's index. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { indexedWords } from '../../../src/search/store/words.ts';
import type { IndexedChunk, IndexedFile } from '../../../src/search/team/indexStore.ts';
import { root } from '../index/fixture.ts';

/** Pieces of 30 lines of our own code and that of packages, as files, with their texts. */
export function readChunks(most: number): IndexedFile[] {
  const patterns = ['src/**/*.ts', 'test/**/*.ts', 'node_modules/**/*.{ts,js,mjs}'];
  const paths = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const files: IndexedFile[] = [];
  let count = 0;
  for (const path of paths) {
    if (count >= most) break;
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    // A bundle in one line is no code to search.
    if (lines.some((line) => line.length > 1_000)) continue;
    const chunks: IndexedChunk[] = [];
    for (let at = 0; at < lines.length && count < most; at += 30, count++) {
      const text = lines.slice(at, at + 30).join('\n');
      const names = [...text.matchAll(/(?:function|const|class|interface) (\w+)/g)].map(([, name = '']) => name);
      chunks.push({
        ...{ hash: sha(text), startLine: at + 1, endLine: at + 30, names, enclosing: [], text },
        ...{ nameWords: indexedWords(names.join('\n')), bodyWords: indexedWords(text) },
      });
    }
    files.push({ path, hash: sha(path), pathWords: indexedWords(path), chunks });
  }
  return files;
}

/** Files in lists of about so many chunks. */
export function* inChunks(files: readonly IndexedFile[], most: number): Generator<IndexedFile[]> {
  let [some, count]: [IndexedFile[], number] = [[], 0];
  for (const file of files) {
    some.push(file);
    count += file.chunks.length;
    if (count < most) continue;
    yield some;
    [some, count] = [[], 0];
  }
  if (some.length > 0) yield some;
}

export const sha = (text: string): Uint8Array => createHash('sha256').update(text).digest();
export const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

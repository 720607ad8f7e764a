/** Files with vectors for tests of the index; run as a program, it writes a hundred of them, one after the other. */
import { createHash } from 'node:crypto';
import { openStore, type Store } from '../../src/search/store/store.ts';
import { whenFree } from '../../src/search/store/transaction.ts';
import { toRows } from '../../src/search/vectors/quantise.ts';

export const root = '/code';

export function numbersOf(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

export const textOf = (number: number): string => `content ${number}\n`;

/** Numbers that look like chance, the same for the same number, each with another direction. */
export function vectorOf(number: number, dimensions = 64): Float32Array {
  let state = (number + 1) * 0x9e3779b9;
  return Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state >>> 8) & 0xffff) / 16_384 - 2;
  });
}

/** Puts a file of one chunk. */
export function put(store: Store, number: number): void {
  const text = textOf(number);
  const chunks = [{ startLine: 1, endLine: 1, text, enclosing: [], names: [] }];
  const hash = createHash('sha256').update(text).digest('hex');
  const stamp = { size: text.length, mtimeMs: 1 };
  store.putFiles(root, [{ path: `${number}.ts`, stamp, content: { hash, chunks, lines: 0 } }]);
}

export function writeVectors(store: Store, numbers: readonly number[]): void {
  const space = store.space('m');
  for (const number of numbers) {
    put(store, number);
    const items = [...store.itemsWithout(space, [store.fileId(root, `${number}.ts`) ?? 0])];
    store.putVectors(space, toRows(items.map(({ hash }) => ({ hash, vector: vectorOf(number) }))));
  }
}

if (process.argv[1] === import.meta.filename) {
  const [directory = '', first = ''] = process.argv.slice(2);
  const store = openStore(directory);
  // The other process writes as well.
  for (const number of numbersOf(Number(first), 100)) await whenFree(() => writeVectors(store, [number]));
  store.close();
}

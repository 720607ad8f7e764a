import { ServiceError } from '../../base/errors.ts';
import { textHash } from '../chunker/chunker.ts';
import type { FileChange } from '../store/files/fileWriter.ts';
import { storageReason } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { WordHit } from '../store/wordIndex.ts';
import type { VectorRow } from '../vectors/quantise.ts';
import { cutOf } from './fileCut.ts';
import type { FileVersion, IndexedFile, IndexStore } from './indexStore.ts';
import { IndexStoreError, type IndexStoreReason } from './indexStoreError.ts';
import { createLocalTexts, keyOf, wholeWords } from './localTexts.ts';

/** The most dimensions of a vector, and the longest path. */
const mostDimensions = 16_000;
const longestPath = 2_000;

/**
 * The files of one root in the index on this machine. Texts have to come along, as the words are made from them; a file
 * with a chunk whose text is missing, or another than its hash says, is refused.
 */
export function createLocalIndexStore(store: () => Store, root: string): IndexStore {
  /** Reads or writes, unless it is too late for it. */
  async function doing<T>(signal: AbortSignal, work: () => T): Promise<T> {
    if (signal.aborted) throw new IndexStoreError('cancelled');
    try {
      return await whenFree(work, signal);
    } catch (error) {
      throw asStoreError(error);
    }
  }
  const { idsOf, findTexts, countWord } = createLocalTexts(store, root);

  return {
    missing: (source, hashes, signal) =>
      doing(signal, () => {
        const spaces = spacesOf(store(), source);
        return once(hashes).filter((hash) => !spaces.some((space) => store().has(space, hash)));
      }),
    vectors: (source, hashes, signal) =>
      doing(signal, () => {
        const spaces = spacesOf(store(), source);
        return once(hashes).flatMap((hash) => spaces.flatMap((space) => store().rowOf(space, hash) ?? []));
      }),
    putVectors: (source, rows, signal) => doing(signal, () => putRows(store(), source, rows)),
    changedFiles: (files, signal) => doing(signal, () => files.filter(isChanged).map(({ path }) => path)),
    putFiles: (files, signal) =>
      doing(signal, () => {
        const sound = files.filter(isSound);
        store().putFiles(root, sound.map(changeOf));
        return files.filter((file) => !isSound(file)).map(({ path }) => path);
      }),
    removeFiles: (paths, signal) => doing(signal, () => store().removeFiles(root, paths)),
    keepFiles: (paths, signal) =>
      doing(signal, () => {
        const kept = new Set(paths);
        const others = store()
          .versionsOf(root)
          .flatMap(({ path }) => (kept.has(path) ? [] : path));
        store().removeFiles(root, others);
        return others.length;
      }),
    nearest: (source, vector, limit, paths, signal) =>
      doing(signal, () => {
        const space = store().knownSpace(keyOfSource(source));
        if (space === undefined || !vector.some((value) => value !== 0) || !vector.every(Number.isFinite)) return [];
        const find = (most: number, files?: number[]) => store().findNearest(space, vector, most, files);
        return findTexts(limit, paths, find).map(({ hash, hit, places }) => ({ hash, places, cosine: hit.cosine }));
      }),
    findWords: (words, limit, paths, signal) =>
      doing(signal, () => {
        const some = wholeWords(words);
        if (some.length === 0) return [];
        const find = (most: number, files?: number[]): WordHit[] => store().findWords(some, most, files);
        return findTexts(limit, paths, find).map(({ hash, hit, places }) => ({
          ...{ hash, places, relevance: hit.relevance },
        }));
      }),
    countWords: (words, signal) =>
      doing(signal, () => {
        const files = idsOf(undefined);
        const { chunks } = store().countsOf(root);
        if (files === undefined) return { ...store().countWords(wholeWords(words)), chunks };
        const withWord = new Map(words.map((word) => [word, countWord(word, files)]));
        return { chunks, withWord };
      }),
    status: (signal) =>
      doing(signal, () => {
        const vectors = store()
          .vectorsBySpace()
          .map(({ key, dimensions, texts }) => ({ source: key, dimensions, texts }));
        return { ...store().countsOf(root), vectors };
      }),
    settle: (signal) => doing(signal, () => undefined),
    // Whoever opened the index closes it.
    close: async () => undefined,
  };

  function isChanged({ path, hash, cut }: FileVersion): boolean {
    if (store().fileHash(root, path) !== keyOf(hash)) return true;
    // Texts are here in any case.
    return cut !== undefined && cut.replace('+', '') !== cutOf(store().chunkHashes(root, path), false);
  }
}

/** The key of the space of a source: the index of one machine asks one service for a model. */
function keyOfSource(source: string): string {
  return source.slice(source.indexOf('\n') + 1);
}

/** The spaces of a source, one for each length of its vectors. */
function spacesOf(store: Store, source: string): number[] {
  const key = keyOfSource(source);
  return store.vectorsBySpace().flatMap((space) => (space.key === key ? space.id : []));
}

/** Stores vectors, those of each length in a space of their own. Gives the hashes of those that none takes. */
function putRows(store: Store, source: string, rows: readonly VectorRow[]): Uint8Array[] {
  const key = keyOfSource(source);
  const sound = rows.filter(isSoundRow);
  for (const length of new Set(sound.map(({ dimensions }) => dimensions))) {
    try {
      store.putVectors(
        store.space(key),
        sound.filter(({ dimensions }) => dimensions === length),
      );
    } catch (error) {
      // They are stored, in a space that takes the place of the one before.
      if (!(error instanceof ServiceError) || error.hint !== 'another length') throw error;
    }
  }
  return rows.filter((row) => !isSoundRow(row)).map(({ hash }) => hash);
}

function isSoundRow({ hash, dimensions, scale, values, rest }: VectorRow): boolean {
  const isWhole = values.length >= dimensions && rest.length >= dimensions;
  return isHash(hash) && scale > 0 && Number.isFinite(scale) && dimensions <= mostDimensions && isWhole;
}

function isSound({ path, hash, chunks }: IndexedFile): boolean {
  const isPath = path !== '' && !path.includes('\0') && Buffer.byteLength(path) <= longestPath;
  return isPath && isHash(hash) && chunks.every((chunk) => isTextOf(chunk.text, chunk.hash));
}

function isTextOf(text: string | undefined, hash: Uint8Array): boolean {
  return text !== undefined && Buffer.compare(textHash(text), hash) === 0;
}

/** What a file is in the tables of the index. When it was last written is not known. */
function changeOf({ path, hash, chunks }: IndexedFile): FileChange {
  const content = chunks.map(({ startLine, endLine, text = '', names, enclosing }) => ({
    ...{ startLine, endLine, text, names: [...names], enclosing: [...enclosing] },
  }));
  const lines = Math.max(0, ...chunks.map(({ endLine }) => endLine));
  return { path, stamp: { size: 0, mtimeMs: 0 }, content: { hash: keyOf(hash), chunks: content, lines } };
}

function asStoreError(error: unknown): unknown {
  if (error instanceof ServiceError && error.kind === 'cancelled') return new IndexStoreError('cancelled');
  const reason = storageReason(error);
  if (reason === undefined) return error;
  const known: Partial<Record<typeof reason, IndexStoreReason>> = {
    full: 'full',
    'read-only': 'read-only',
    busy: 'busy',
  };
  return new IndexStoreError(known[reason] ?? 'unexpected');
}

const hashBytes = 32;
const isHash = (hash: Uint8Array): boolean => hash.length === hashBytes;

function once(hashes: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(hashes.map((hash) => [keyOf(hash), hash])).values()];
}

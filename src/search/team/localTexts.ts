import type { Store } from '../store/store.ts';
import type { TextPlace } from './indexStore.ts';

/** A text that was found, with its best chunk and its places. */
interface LocalText<T> {
  readonly hash: Uint8Array;
  readonly hit: T;
  readonly places: readonly TextPlace[];
}

/** Finds the texts of one root in the index on this machine. */
interface LocalTexts {
  /** The ids of these files, or of all; undefined where the index has no others. */
  idsOf(paths: readonly string[] | undefined): number[] | undefined;
  /** Finds so many texts: chunks of the same text count as one, so that more of them are asked for where they do not suffice. */
  findTexts<T extends { readonly id: number }>(
    limit: number,
    paths: readonly string[] | undefined,
    find: (most: number, files: number[] | undefined) => readonly T[],
  ): LocalText<T>[];
  /** How many chunks of these files have a word. */
  countWord(word: string, files: readonly number[]): number;
}

/** The most places that a text is told with. */
const mostPlaces = 20;
/** Of a word in more chunks, so many are counted. */
const mostCounted = 8_000;

export function createLocalTexts(store: () => Store, root: string): LocalTexts {
  const idsOf = (paths: readonly string[] | undefined): number[] | undefined =>
    paths === undefined
      ? store().filesMatching([root])
      : [...new Set(paths)].flatMap((path) => store().fileId(root, path) ?? []);
  const placesOf = (hash: Uint8Array, within: ReadonlySet<string> | undefined): TextPlace[] =>
    store()
      .placesOf(root, hash, within === undefined ? mostPlaces : Number.MAX_SAFE_INTEGER)
      .filter(({ path }) => within?.has(path) ?? true)
      .slice(0, mostPlaces)
      .map(({ fileHash, ...place }) => ({ ...place, fileHash: Buffer.from(fileHash, 'hex') }));

  /** The texts of chunks, each once: by its best chunk, with its places. */
  function byText<T extends { readonly id: number }>(hits: readonly T[], paths: readonly string[] | undefined) {
    const within = paths && new Set(paths);
    const texts = new Map<string, { hash: Uint8Array; hit: T }>();
    for (const hit of hits) {
      const hash = store().hashOf(hit.id);
      if (hash !== undefined && !texts.has(keyOf(hash))) texts.set(keyOf(hash), { hash, hit });
    }
    return [...texts.values()].map((each) => ({ ...each, places: placesOf(each.hash, within) }));
  }

  function findTexts<T extends { readonly id: number }>(
    limit: number,
    paths: readonly string[] | undefined,
    find: (most: number, files: number[] | undefined) => readonly T[],
  ) {
    const files = idsOf(paths);
    if (limit < 1 || files?.length === 0) return [];
    for (let most = limit * 2; ; most *= 4) {
      const hits = find(most, files);
      const texts = byText(hits, paths);
      if (texts.length >= limit || hits.length < most) return texts.slice(0, limit);
    }
  }

  return {
    idsOf,
    findTexts,
    countWord(word, files) {
      const words = wholeWords([word]);
      return words.length === 0 ? 0 : store().findWords(words, mostCounted, files).length;
    },
  };
}

/** Words without a NUL, at which the word index ends one, too. */
export function wholeWords(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split('\0')).filter((word) => word !== '');
}

/** A hash as the key of a map, and as the index has that of a file. */
export function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');
}

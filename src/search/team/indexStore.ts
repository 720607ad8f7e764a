import type { WordCounts } from '../store/wordIndex.ts';
import type { VectorRow } from '../vectors/quantise.ts';

/**
 * Where the vectors and the words of a repository are kept: on this machine, or in a database that a team shares. Whoever
 * asks knows no more of it than this.
 *
 * A source is what `sourceName` gives: the service's origin, the model and its instruction. Hashes are the SHA-256 of a
 * text. All methods throw an `IndexStoreError`; with the reason `cancelled` after the signal. A write is done whole or not
 * at all; some thousand chunks are a good size for one.
 */
export interface IndexStore {
  /** Those of these texts that have no vector of this source yet, each once. */
  missing(source: string, hashes: readonly Uint8Array[], signal: AbortSignal): Promise<Uint8Array[]>;
  /** The vectors of these texts, of those that have one; of a text with vectors of several lengths, all. */
  vectors(source: string, hashes: readonly Uint8Array[], signal: AbortSignal): Promise<VectorRow[]>;
  /**
   * Stores vectors, each once for all branches, clones and users; one that is there stays as it is. Gives the hashes of
   * those that cannot be stored: the others are.
   */
  putVectors(source: string, rows: readonly VectorRow[], signal: AbortSignal): Promise<Uint8Array[]>;
  /** Those of these files that the store does not have with this content, or has cut in another way. */
  changedFiles(files: readonly FileVersion[], signal: AbortSignal): Promise<string[]>;
  /** Replaces what is known of these files. Gives the paths of those that cannot be stored: the others are. */
  putFiles(files: readonly IndexedFile[], signal: AbortSignal): Promise<string[]>;
  /** Forgets files. Vectors stay, as another branch or clone may have their texts. */
  removeFiles(paths: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * Forgets all files of the repository but these, some at a time: what was forgotten before a failure stays so.
   * @returns how many were forgotten
   */
  keepFiles(paths: readonly string[], signal: AbortSignal): Promise<number>;
  /**
   * Texts of this repository near a vector, the nearest first: exactly `limit`, 5,000 at most, where there are as many.
   *
   * @param paths of these files alone
   */
  nearest(
    source: string,
    vector: Float32Array,
    limit: number,
    paths: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<NearText[]>;
  /**
   * Texts of this repository that have any of the words, the most relevant first.
   *
   * @param words in the form of `queryWords`
   */
  findWords(
    words: readonly string[],
    limit: number,
    paths: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<WordText[]>;
  /** How many chunks of this repository have each word; of a word in very many, as many as are counted. */
  countWords(words: readonly string[], signal: AbortSignal): Promise<WordCounts>;
  /** What is stored of this repository, and all vectors. */
  status(signal: AbortSignal): Promise<StoredCounts>;
  /**
   * Builds what makes questions fast, after much was stored. Does nothing where there is too little for it, or where this user may not.
   * Whoever stores vectors meanwhile waits; questions do not.
   */
  settle(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A file, and the SHA-256 of its content. */
export interface FileVersion {
  /** Relative, with `/`. */
  readonly path: string;
  readonly hash: Uint8Array;
  /** Into which chunks it is cut, as `cutOf` gives it; absent: however it is. */
  readonly cut?: string | undefined;
}

/** A file as the store keeps it. */
export interface IndexedFile extends FileVersion {
  /** The words of the path, as `indexedWords` gives them. */
  readonly pathWords: string;
  readonly chunks: readonly IndexedChunk[];
}

/** A chunk of a file: which text it has, and where. */
export interface IndexedChunk {
  /** SHA-256 of its text. */
  readonly hash: Uint8Array;
  /** From 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly names: readonly string[];
  readonly enclosing: readonly string[];
  /** Of its names and of what encloses it, as `indexedWords` gives them. */
  readonly nameWords: string;
  readonly bodyWords: string;
  /** The text itself, where it may be stored. */
  readonly text?: string | undefined;
}

/** Where a text stands. It is shown only to somebody whose working tree has it there, by its hash. */
export interface TextPlace {
  readonly path: string;
  /** SHA-256 of the whole file. */
  readonly fileHash: Uint8Array;
  readonly startLine: number;
  readonly endLine: number;
}

/** A text that was found. */
interface FoundText {
  readonly hash: Uint8Array;
  /** In the order of their paths; of a text that stands in very many, the first. */
  readonly places: readonly TextPlace[];
}

/** A text with its similarity to a vector. */
export interface NearText extends FoundText {
  readonly cosine: number;
}

/** A text with words that were asked for. */
export interface WordText extends FoundText {
  /** BM25 relevance, over 0. */
  readonly relevance: number;
}

/** What a store has. */
export interface StoredCounts {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: readonly VectorCount[];
}

/** How many texts have a vector of a source; of a database in use, about. */
export interface VectorCount {
  readonly source: string;
  readonly dimensions: number;
  readonly texts: number;
}

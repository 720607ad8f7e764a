import { dirname } from 'node:path';
import type { Scope } from '../workspace/fileFilter.ts';
import type { EmbeddingModel } from './embedding/embeddingModel.ts';
import { createMissing } from './embedding/embedMissing.ts';
import { openVectorCache } from './embedding/vectorCache.ts';
import { type Builder, createBuilder } from './engine/build.ts';
import { createMeaningShare } from './engine/meaningShare.ts';
import { createSearch } from './engine/search.ts';
import { statusOf } from './engine/status.ts';
import { createStoreLifecycle } from './engine/storeLifecycle.ts';
import type { Status } from './engineApi.ts';
import { explainFile, type FileExplanation } from './indexing/explainFile.ts';
import { createFinder } from './query/finder.ts';
import type { Query, SearchAnswer } from './query/query.ts';
import type { Contents } from './store/indexContents.ts';
import { type Peek, peekAt } from './store/peek.ts';
import { whenFree } from './store/transaction.ts';
import { spaceKey, type VectorSource } from './types.ts';

/**
 * The whole search, without an editor: files → chunks → embedder → store → ranking. Runs in the worker. Changes of the
 * file tables are queued one after another, and so are embedding requests; nothing else waits for either queue.
 */
export interface Engine extends Builder {
  /** The contents of the index on the disk; undefined where there is none. Opens no database and creates no file. */
  peek(source?: VectorSource): Peek | undefined;
  status(source?: VectorSource): Status;
  search(
    roots: readonly string[],
    query: Query,
    embeddingModel: EmbeddingModel | undefined,
    signal: AbortSignal,
  ): Promise<SearchAnswer>;
  /**
   * Closes the index, which may be corrupted: the next call opens it with a thorough check and quarantines corrupted
   * files.
   */
  suspect(): void;
  /** Whether a file is in the index, and the reason where it is not. */
  why(
    scope: Scope,
    root: string,
    path: string,
    source: VectorSource | undefined,
    signal: AbortSignal,
  ): Promise<FileExplanation>;
  /** The files that would be sent and the files that are left out, as of the last scan. */
  contents(source?: VectorSource): Promise<Contents>;
  /** Deletes the vector cache, which serves the whole machine. @returns false where it could not be */
  forgetCache(): boolean;
  close(): void;
}

/** Limit of the file list: nobody reads through more. */
const filesListed = 10_000;

/**
 * The engine of one index.
 * @param directory of the index
 * @param cachePath the file of the vector cache; absent: no cache
 */
export function createEngine(directory: string, cachePath?: string): Engine {
  const lifecycle = createStoreLifecycle(directory);
  const { store } = lifecycle;
  const cache = cachePath === undefined ? undefined : openVectorCache(cachePath);
  const turns = cachePath === undefined ? directory : dirname(cachePath);
  const share = createMeaningShare(store);
  const finder = createFinder(store);

  return {
    ...createBuilder(lifecycle, share, createMissing(turns, store, cache), cache),
    peek: (source) => peekAt(directory, source),
    status: (source) => statusOf(store(), share, source),
    search: createSearch(store, finder, share),
    suspect: lifecycle.suspect,
    async why(scope, root, path, source, signal) {
      const space = source === undefined ? undefined : store().knownSpace(spaceKey(source));
      return explainFile(store(), scope, root, path, space, signal);
    },
    async contents(source) {
      const space = source && (await whenFree(() => store().space(spaceKey(source))));
      return store().contents(space, filesListed);
    },
    forgetCache: () => cache?.clear() ?? true,
    close() {
      lifecycle.close();
      cache?.close();
    },
  };
}

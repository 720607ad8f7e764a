import { dirname } from 'node:path';
import type { Scope } from '../workspace/fileFilter.ts';
import type { EmbeddingModel } from './embedding/embeddingModel.ts';
import { createMissing } from './embedding/embedMissing.ts';
import { openVectorCache } from './embedding/vectorCache.ts';
import { type Builder, createBuilder } from './engine/build.ts';
import type { Status } from './engine/engineApi.ts';
import { type FilesBehind, filesBehind } from './engine/filesBehind.ts';
import { createMeaningShare } from './engine/meaningShare.ts';
import { createReadAhead } from './engine/readAhead.ts';
import { createSearch } from './engine/search.ts';
import { staleFiles } from './engine/staleFiles.ts';
import { statusOf } from './engine/status.ts';
import { createStoreLifecycle } from './engine/storeLifecycle.ts';
import { explainFile, type FileExplanation } from './indexing/explainFile.ts';
import { scannedAt } from './indexing/scan.ts';
import { pathTestOf } from './query/filter/pathFilter.ts';
import type { QueryFilters } from './query/filter/queryFilter.ts';
import { createFinder } from './query/finder.ts';
import type { Query, SearchAnswer } from './query/query.ts';
import { checkIndex, type Damage } from './store/files/checkIndex.ts';
import type { StoredChunk } from './store/files/chunkReader.ts';
import type { Contents } from './store/indexContents.ts';
import { type Peek, peekAt } from './store/peek.ts';
import { whenFree } from './store/transaction.ts';
import {
  type ExportResult,
  exportVectors,
  type ImportRequest,
  type ImportResult,
  importVectors,
} from './team/sharedFile/shareVectors.ts';
import type { TeamIndex } from './team/teamIndex.ts';
import type { PublishResult } from './team/teamStore.ts';
import { type Place, type PublishProgress, spaceKey, type TakingProgress, type VectorSource } from './types.ts';

/**
 * The whole search, without an editor: files → chunks → embedder → store → ranking. Runs in the worker. Changes of the
 * file tables are queued one after another, and so are embedding requests; nothing else waits for either queue.
 */
export interface Engine extends Builder {
  /** Reads the files first that a team's index finds for a question. @returns false where all have to be read before it is answered */
  readAhead(scope: Scope, question: string, signal: AbortSignal): Promise<boolean>;
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
  /** Takes out what a check found damaged, so that the next run makes it again: it reads texts, and asks for vectors. */
  repair(damage: Damage): void;
  /** Whether a file is in the index, and the reason where it is not. */
  why(
    scope: Scope,
    root: string,
    path: string,
    source: VectorSource | undefined,
    signal: AbortSignal,
  ): Promise<FileExplanation>;
  /** When all files were looked at last, in milliseconds since the epoch; undefined where that never came to its end. */
  scannedAt(): number | undefined;
  /** The files among these, as absolute paths, that have changed or are gone since the index read them. */
  staleFiles(files: readonly Pick<Place, 'root' | 'path'>[]): Promise<string[]>;
  /** How many files differ from what the index has read. Reads none of them and writes nothing. */
  behind(scope: Pick<Scope, 'roots'>, signal: AbortSignal): Promise<FilesBehind>;
  /** What is damaged on the disk, by a check of everything; undefined where there is no index. Changes nothing and opens no index. */
  check(): Damage | undefined;
  /** The chunks that declare this very name, in files that these filters let through; 50 at most. */
  definitions(
    roots: readonly string[],
    name: string,
    filters: QueryFilters,
    signal: AbortSignal,
  ): Promise<StoredChunk[]>;
  /** The chunks of a file that have any of these lines, in their order: what the index has of its text. */
  chunksAt(place: Place): StoredChunk[];
  /** The files that would be sent and the files that are left out, as of the last scan. */
  contents(source?: VectorSource): Promise<Contents>;
  /** Writes the vectors of the texts into a shared file. @param signingKeyPath the file of a private Ed25519 key */
  exportVectors(
    source: VectorSource,
    path: string,
    signal: AbortSignal,
    signingKeyPath?: string,
  ): Promise<ExportResult>;
  /** Takes the vectors that texts lack from a shared file. */
  importVectors(
    request: ImportRequest,
    signal: AbortSignal,
    report: (progress: TakingProgress) => void,
  ): Promise<ImportResult>;
  /**
   * Stores the files of these roots for the team, as the index has them; what it leaves out does not go.
   * @param withTexts whether the code goes along, and not hashes, lines, names and words alone
   * @returns undefined where there is no team
   */
  publish(
    roots: readonly string[],
    withTexts: boolean,
    signal: AbortSignal,
    report: (progress: PublishProgress) => void,
  ): Promise<PublishResult | undefined>;
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
 * @param team the index of a team, closed with the engine
 */
export function createEngine(directory: string, cachePath?: string, team?: TeamIndex): Engine {
  const lifecycle = createStoreLifecycle(directory);
  const { store } = lifecycle;
  const cache = cachePath === undefined ? undefined : openVectorCache(cachePath);
  const turns = cachePath === undefined ? directory : dirname(cachePath);
  const share = createMeaningShare(store);
  const finder = createFinder(store);

  const builder = createBuilder(lifecycle, share, createMissing(turns, store, cache), cache, team);
  const ahead = createReadAhead(store, team, (scope, files, signal) =>
    builder.update(scope, files, undefined, signal, () => undefined),
  );

  return {
    ...builder,
    readAhead: ahead.read,
    peek: (source) => peekAt(directory, source),
    status: (source) => statusOf(store(), share, source),
    search: createSearch(store, finder, share, team, ahead.counts),
    suspect: lifecycle.suspect,
    repair({ databases, texts, vectors }) {
      if (databases.length > 0 || texts > 0) lifecycle.suspect();
      if (vectors > 0) store().inspectVectors();
    },
    async why(scope, root, path, source, signal) {
      const space = source === undefined ? undefined : store().knownSpace(spaceKey(source));
      return explainFile(store(), scope, root, path, space, signal);
    },
    chunksAt: (place) => store().chunksAt(place),
    scannedAt: () => scannedAt(store()),
    staleFiles: (files) => staleFiles(store(), files),
    behind: (scope, signal) => filesBehind(store(), scope, signal),
    check: () => checkIndex(directory),
    async definitions(roots, name, filters, signal) {
      const files = store().filesMatching(roots, await pathTestOf(roots, [filters], signal));
      const found = store().findDefining([name], files);
      return found.sort((a, b) => b.relevance - a.relevance).flatMap(({ id }) => store().chunk(id) ?? []);
    },
    async contents(source) {
      const space = source && (await whenFree(() => store().space(spaceKey(source))));
      return store().contents(space, filesListed);
    },
    async exportVectors(source, path, signal, signingKeyPath) {
      return exportVectors(store(), source, path, signal, signingKeyPath);
    },
    async importVectors(request, signal, report) {
      lifecycle.checkWritable();
      return share.changed(() => importVectors(store, request, signal, report));
    },
    publish: async (roots, withTexts, signal, report) => team?.publish({ store, roots, withTexts, signal, report }),
    forgetCache: () => cache?.clear() ?? true,
    close() {
      lifecycle.close();
      cache?.close();
      // A connection that cannot be closed any more is closed.
      void team?.close().catch(() => undefined);
    },
  };
}

import { type ErrorKind, isCancelled, ServiceError } from '../service/errors.ts';
import type { BatchSize } from '../service/fieldMemory.ts';
import { maxBytes } from './chunker/size.ts';
import type { Contents } from './contents.ts';
import type { Embed } from './embedder.ts';
import type { IsPaid } from './examiner.ts';
import { openPaidVectors } from './machineVectors.ts';
import { createMissing } from './missing.ts';
import { pathTestOf } from './narrow.ts';
import {
  type IndexProgress,
  type IndexResult,
  type Meaning,
  type Place,
  type Plan,
  type Query,
  type Scope,
  type SearchAnswer,
  type Status,
  sourceOf,
  spaceKey,
  type VectorSource,
} from './protocol.ts';
import { parseQuery } from './queryFilter.ts';
import { rank } from './ranking.ts';
import { scanAll, scanSome } from './scan.ts';
import { type Standing, standingOf } from './standing.ts';
import { openStore, type Store } from './store.ts';
import type { WordHit } from './wordIndex.ts';
import { queryWords } from './words.ts';

/** The half of the search that needs a service. */
export interface Meant extends Omit<Meaning, 'ticket'> {
  /** The service's base address, for what is said of an error. */
  url?: string;
  embed: Embed;
  /** Where to keep what is learned of how many texts the service takes at once. */
  learn?(batchSize: BatchSize): void;
}
type Report = (progress: IndexProgress) => void;

/**
 * The search, whole and without an editor: files → chunks → embedder → store → ranking. Runs in the worker. Changes of the
 * index wait for one another; searches and reports do not.
 */
export interface Engine {
  status(source?: VectorSource): Status;
  /** Brings the keyword half up to date, which sends nothing, and says what the other half would send. */
  plan(scope: Scope, source: VectorSource | undefined, signal: AbortSignal, report: Report): Promise<Plan>;
  /** Brings the index up to date; without `meant`, the keyword half alone. What came back before an error is kept. */
  index(scope: Scope, meant: Meant | undefined, signal: AbortSignal, report: Report): Promise<IndexResult>;
  /** The same for some files (absolute paths): changed, new, or gone. */
  update(
    scope: Scope,
    files: readonly string[],
    meant: Meant | undefined,
    signal: AbortSignal,
    report: Report,
  ): Promise<IndexResult>;
  search(roots: readonly string[], query: Query, meant: Meant | undefined, signal: AbortSignal): Promise<SearchAnswer>;
  /** Closes the index, which seems damaged: the next call opens it again with a thorough look, and puts aside what is. */
  suspect(): void;
  /** Whether a file is in the index, or why it is not. */
  why(
    scope: Scope,
    root: string,
    path: string,
    source: VectorSource | undefined,
    signal: AbortSignal,
  ): Promise<Standing>;
  /** File by file what would be sent, and what is left out, as of the last look at the files. */
  contents(source?: VectorSource): Contents;
  /** Forgets the vectors kept for the whole machine. */
  forgetPaid(): void;
  close(): void;
}

/** What both halves put forward, for the text that is searched for. */
interface Found {
  text: string;
  by: SearchAnswer['by'];
  /** By meaning, the nearest first. */
  ids: number[];
  words: WordHit[];
}

/** How much of the index has vectors of a model. */
interface Part {
  /** Of its space. */
  key: string;
  /** Of the files. */
  share: number;
  /** The space of the model before, while that has more. */
  before: string | undefined;
  /** When it was counted. */
  at: number;
}

/** What a service says of a model that it no longer has. */
const saysGone: ReadonlySet<ErrorKind> = new Set(['model-not-found', 'not-found', 'bad-request', 'permission']);

/** Candidates each half puts forward. Words name the one thing asked for less surely, so they put forward more. */
const candidates = { words: 200, meaning: 100 } as const;
/** A hit by meaning that is less than this share as near as the nearest is no hit. */
const nearEnough = 0.4;
const queriesKept = 50;
/** Counting takes longer than searching. */
const partKeptMs = 2_000;
/** More files than this nobody reads through. */
const filesListed = 10_000;

/** @param paidPath the file of the vectors kept for the whole machine; without it none are */
export function createEngine(directory: string, paidPath?: string): Engine {
  let opened: Store | undefined;
  let isSuspect = false;
  /** There was a thorough look, which found all that is to be found. */
  let isThorough = false;
  const store = (): Store => {
    if (!isThorough && opened?.isTorn()) {
      suspect();
      throw new ServiceError('storage', { hint: 'damaged' });
    }
    opened ??= openStore(directory, isSuspect);
    isThorough ||= isSuspect;
    isSuspect = false;
    return opened;
  };
  const paid = paidPath === undefined ? undefined : openPaidVectors(paidPath);
  const queries = new Map<string, Float32Array>();
  /** Spaces whose model the service no longer answers for. */
  const withdrawn = new Set<string>();
  const { takePaid, embedMissing } = createMissing(directory, store, paid);
  let last: Promise<unknown> = Promise.resolve();
  let part: Part | undefined;

  /** Where nothing could be written when the index was opened, it is tried anew: the disk may have room again. */
  function checkWritable(): void {
    if (opened?.closedFor !== undefined) close();
    const hint = store().closedFor;
    if (hint !== undefined) throw new ServiceError('storage', { hint });
  }

  function suspect(): void {
    close();
    isSuspect = true;
  }

  function close(): void {
    opened?.close();
    opened = undefined;
  }

  /** Undefined while nothing was paid for. */
  function paidTest(): IsPaid | undefined {
    if (!store().hasVectors() && !paid?.hasAny()) return undefined;
    return (hash) => store().hasVector(hash) || paid?.has(hash) === true;
  }

  /** Runs after the changes before it, whether they went well or not. */
  function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = last
      .catch(() => undefined)
      .then(() => {
        if (signal.aborted) throw new ServiceError('cancelled');
        checkWritable();
        return work();
      })
      .finally(() => {
        part = undefined;
      });
    last = turn;
    return turn;
  }

  async function resultOf(
    meant: Meant | undefined,
    signal: AbortSignal,
    report: Report,
    only?: readonly number[],
  ): Promise<IndexResult> {
    const embedded = meant === undefined ? 0 : await embedMissing(meant, signal, report, only);
    const { files, chunks } = store().counts();
    const skipped = Object.values(store().excluded()).reduce((sum, count) => sum + count, 0);
    return { files, chunks, embedded, reused: meant === undefined ? 0 : Math.max(0, chunks - embedded), skipped };
  }

  function status(source?: VectorSource): Status {
    const space = source === undefined ? undefined : store().knownSpace(spaceKey(source));
    const indexed = store().counts();
    const isWhole = part?.share === 1 && source !== undefined && part.key === spaceKey(source);
    const filesDone = (of: number): number => (isWhole ? indexed.files : store().filesDone(of));
    return {
      indexed,
      coverage: store().coverage(),
      filesDone: space === undefined ? undefined : filesDone(space),
      excluded: store().excluded(),
      damaged: store().damagedFiles() + (space === undefined ? 0 : store().damaged(space)),
    };
  }

  /** The vector of one text; the last ones are kept. */
  async function embedOne(text: string, meant: Meant, signal: AbortSignal): Promise<Float32Array> {
    const key = `${spaceKey(meant)}\0${text}`;
    const known = queries.get(key);
    if (known !== undefined) return known;
    const [vector] = await meant.embed([text], signal);
    if (vector === undefined) throw new ServiceError('malformed');
    queries.set(key, vector);
    const oldest = queries.size > queriesKept ? queries.keys().next().value : undefined;
    if (oldest !== undefined) queries.delete(oldest);
    return vector;
  }

  /** While the vectors of a model are still built, the one before it, if more of the files have its vectors. */
  function modelBefore(meant: Meant): Meant | undefined {
    const { before } = partNow(meant);
    if (before === undefined || withdrawn.has(before)) return undefined;
    const { model, documentPrefix } = sourceOf(before);
    return { ...meant, model, documentPrefix, embed: (texts, signal) => meant.embed(texts, signal, model) };
  }

  async function findByMeaning(
    meant: Meant | undefined,
    vectorFor: (meant: Meant, space: number) => Promise<Float32Array>,
    files: readonly number[] | undefined,
  ): Promise<{ by: SearchAnswer['by']; ids: number[] }> {
    if (meant === undefined) return { by: 'keywords', ids: [] };
    const before = modelBefore(meant);
    const by = before ?? meant;
    const space = store().knownSpace(spaceKey(by));
    if (space === undefined) return { by: 'keywords', ids: [] };
    try {
      const found = store().findNearest(space, await vectorFor(by, space), candidates.meaning, files);
      const least = (found[0]?.cosine ?? 0) * nearEnough;
      return { by: 'both', ids: found.filter((hit) => hit.cosine > 0 && hit.cosine >= least).map((hit) => hit.id) };
    } catch (error) {
      if (isCancelled(error) || !(error instanceof ServiceError)) throw error;
      if (before === undefined || !saysGone.has(error.kind)) return { by: 'failed', ids: [] };
      withdrawn.add(spaceKey(before));
      return findByMeaning(meant, vectorFor, files);
    }
  }

  /** By the vector of the code, which may be there already; without vectors, by its words, the rare ones first. */
  async function findSimilar(
    text: string,
    place: Place,
    meant: Meant | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<Found> {
    const own = store().chunksAt(place);
    const code = (text.trim() === '' ? (own[0]?.text ?? '') : text).trim().slice(0, maxBytes);
    if (code === '') return { text: '', by: 'keywords', ids: [], words: [] };
    const same = own.find((chunk) => chunk.text.trim() === code);
    const vectorFor = async (by: Meant, space: number): Promise<Float32Array> =>
      (same && store().vectorOf(space, same.hash)) ?? (await embedOne((by.documentPrefix ?? '') + code, by, signal));
    const { by, ids } = await findByMeaning(meant, vectorFor, files);
    const words = by === 'both' ? [] : store().findWords(queryWords(code), candidates.words, files);
    const isOther = (id: number): boolean => !own.some((chunk) => chunk.id === id);
    return { text: code, by, ids: ids.filter(isOther), words: words.filter(({ id }) => isOther(id)) };
  }

  async function find(
    text: string,
    meant: Meant | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<Found> {
    const vectorFor = (by: Meant): Promise<Float32Array> => embedOne((by.queryPrefix ?? '') + text, by, signal);
    const { by, ids } = await findByMeaning(meant, vectorFor, files);
    return { text, by, ids, words: store().findWords(queryWords(text), candidates.words, files) };
  }

  /** The share of files that meaning can find; while it is not 1 it is counted anew now and then, and after a change. */
  function partNow(source: VectorSource): Part {
    const key = spaceKey(source);
    if (part?.key !== key || (part.share < 1 && performance.now() - part.at > partKeptMs)) {
      const { indexed, filesDone = 0 } = status(source);
      const share = indexed.files === 0 ? 1 : filesDone / indexed.files;
      const other = share < 1 ? store().otherSpace(key) : undefined;
      const isFuller = other !== undefined && store().filesDone(other.id) > filesDone;
      part = { key, share, before: isFuller ? other.key : undefined, at: performance.now() };
    }
    return part;
  }

  return {
    status,
    plan: (scope, source, signal, report) =>
      inTurn(signal, async () => {
        await scanAll(store(), scope, signal, report, paidTest());
        if (source === undefined) return { ...status(), pending: { files: 0, chunks: 0, tokens: 0 } };
        await takePaid(source, signal);
        return { ...status(source), pending: store().amountWithout(store().space(spaceKey(source))) };
      }),
    index: (scope, meant, signal, report) =>
      inTurn(signal, async () => {
        await scanAll(store(), scope, signal, report, paidTest());
        return resultOf(meant, signal, report);
      }),
    async update(scope, files, meant, signal, report) {
      let whole: typeof part;
      const result = await inTurn(signal, async () => {
        const ids = await scanSome(store(), scope, files, signal, paidTest());
        const done = await resultOf(meant, signal, report, ids);
        const key = meant && spaceKey(meant);
        const isWhole = key !== undefined && store().amountWithout(store().space(key), ids).chunks === 0;
        if (isWhole && part?.share === 1 && part.key === key) whole = part;
        return done;
      });
      // What was whole, and to which nothing was added that is not, need not be counted again.
      part ??= whole;
      return result;
    },
    async search(roots, { text: asked, limit, similarTo, ...given }, meant, signal) {
      const { text, filters } = similarTo === undefined ? parseQuery(asked) : { text: asked, filters: { globs: [] } };
      if (similarTo === undefined && queryWords(text).length === 0) return { hits: [], by: 'keywords' };
      const files = store().filesMatching(roots, await pathTestOf(roots, [given, filters], signal));
      const found =
        similarTo === undefined
          ? await find(text, meant, files, signal)
          : await findSimilar(text, similarTo, meant, files, signal);
      const ranked = rank(found.text, found.words, found.ids, store(), limit);
      const hits = ranked.map(({ chunk: { id: _, ...chunk }, ...rest }) => ({ ...chunk, ...rest }));
      const share = meant !== undefined && found.by === 'both' ? partNow(meant).share : 1;
      return { hits, by: found.by, ...(share < 1 ? { indexed: share } : {}) };
    },
    suspect,
    async why(scope, root, path, source, signal) {
      const space = source === undefined ? undefined : store().knownSpace(spaceKey(source));
      return standingOf(store(), scope, root, path, space, signal);
    },
    contents: (source) => store().contents(source && store().space(spaceKey(source)), filesListed),
    forgetPaid: () => paid?.clear(),
    close() {
      close();
      paid?.close();
    },
  };
}

import { isCancelled, ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { VectorRow } from '../vectors/quantise.ts';
import type { IndexStore } from './indexStore.ts';
import { IndexStoreError, type IndexStoreReason } from './indexStoreError.ts';

/**
 * The vectors that a team shares: those that others have are taken into the index on this machine, and its own are given to
 * them. A search needs neither. A store that cannot be reached fails nothing: the next run makes up for it.
 */
export interface TeamVectors {
  /** Takes the vectors that texts lack. @returns how many texts got theirs */
  take(exchange: Exchange): Promise<number>;
  /** Gives the vectors that the team lacks. @returns how many those are */
  give(exchange: Exchange): Promise<number>;
  /** Whether there is a store of a team, as of the last try. */
  readonly isUsed: boolean;
  /** Why the last try failed; undefined where it did not. */
  readonly problem: IndexStoreReason | undefined;
  close(): Promise<void>;
}

/** Between which texts and which source of the store. */
interface Exchange {
  readonly store: () => Store;
  readonly space: number;
  /** As `sourceName` gives it. */
  readonly source: string;
  /** Of these files alone. */
  readonly files?: readonly number[] | undefined;
  readonly signal: AbortSignal;
}

/** Texts asked about at once, and vectors that go over the network together. */
const hashesAtOnce = 10_000;
const vectorsAtOnce = 1_000;
/** How long a store that failed is left alone by updates of files, in milliseconds. A whole run always asks. */
const restMs = 60_000;
/** What keeps no one from reading: whoever may only read gives nothing, and goes on taking. */
const readers: readonly IndexStoreReason[] = ['no-rights', 'read-only'];

/** @param open opens the store of the team, at the first use and after a failure; undefined where there is none */
export function createTeamVectors(
  open: (signal: AbortSignal) => Promise<IndexStore | undefined>,
  now: () => number = () => performance.now(),
): TeamVectors {
  let opened: IndexStore | undefined;
  let problem: IndexStoreReason | undefined;
  let isUsed = false;
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Works with the store. What fails there is kept as the problem, and the result is what was done until then. */
  async function withStore(
    { signal, files }: Exchange,
    work: (team: IndexStore, done: (count: number) => void) => Promise<void>,
  ): Promise<number> {
    if (files !== undefined && now() < failedAt + restMs) return 0;
    let all = 0;
    try {
      if (opened === undefined) {
        const fresh = await open(signal);
        // Another exchange may have opened one meanwhile.
        if (opened === undefined) opened = fresh;
        else await fresh?.close();
      }
      isUsed = opened !== undefined;
      if (opened === undefined) return 0;
      await work(opened, (count) => {
        all += count;
      });
      problem = undefined;
    } catch (error) {
      if (isCancelled(error) || (error instanceof IndexStoreError && error.reason === 'cancelled')) {
        throw new ServiceError('cancelled');
      }
      if (!(error instanceof IndexStoreError)) throw error;
      isUsed = true;
      problem = error.reason;
      failedAt = now();
      await opened?.close().catch(() => undefined);
      opened = undefined;
    }
    return all;
  }

  return {
    take: (exchange) =>
      withStore(exchange, async (team, done) => {
        const { store, space, source, files, signal } = exchange;
        const wanted = store().hashesWithout(space, files);
        for (let from = 0; from < wanted.length; from += vectorsAtOnce) {
          const found = await team.vectors(source, wanted.slice(from, from + vectorsAtOnce), signal);
          const fitting = ofOneLength(found, store().dimensions(space));
          await whenFree(() => store().putVectors(space, fitting), signal);
          done(fitting.length);
          // A search may run in between.
          await nextTurn();
        }
      }),
    give: (exchange) =>
      withStore(exchange, (team, done) =>
        giveMissing(team, exchange, done).catch((error: unknown) => {
          if (!(error instanceof IndexStoreError && readers.includes(error.reason))) throw error;
        }),
      ),
    get isUsed() {
      return isUsed;
    },
    get problem() {
      return problem;
    },
    async close() {
      await opened?.close();
      opened = undefined;
    },
  };
}

async function giveMissing(
  team: IndexStore,
  { store, space, source, files, signal }: Exchange,
  done: (count: number) => void,
): Promise<void> {
  const held = store().hashesWith(space, files);
  for (let from = 0; from < held.length; from += hashesAtOnce) {
    const missing = await team.missing(source, held.slice(from, from + hashesAtOnce), signal);
    for (let at = 0; at < missing.length; at += vectorsAtOnce) {
      const rows = missing.slice(at, at + vectorsAtOnce).flatMap((hash) => store().rowOf(space, hash) ?? []);
      const refused = await team.putVectors(source, rows, signal);
      done(rows.length - refused.length);
      await nextTurn();
    }
  }
}

/** The vectors of one length: of the one that the space has, or, where it has none yet, of the one that most have. */
function ofOneLength(rows: readonly VectorRow[], length: number | undefined): VectorRow[] {
  const counts = new Map<number, number>();
  for (const { dimensions } of rows) counts.set(dimensions, (counts.get(dimensions) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return rows.filter(({ dimensions }) => dimensions === (length ?? most?.[0]));
}

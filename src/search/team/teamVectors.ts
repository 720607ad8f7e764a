import { nextTurn } from '../../base/nextTurn.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { VectorRow } from '../vectors/quantise.ts';
import type { IndexStore } from './indexStore.ts';
import { IndexStoreError, type IndexStoreReason } from './indexStoreError.ts';
import type { TeamConnection } from './teamConnection.ts';

/**
 * The vectors that a team shares: those that others have are taken into the index on this machine, and its own are given to
 * them. A search needs neither. A store that cannot be reached fails nothing: the next run makes up for it.
 */
export interface TeamVectors {
  /** Takes the vectors that texts lack. @returns how many texts got theirs */
  take(exchange: Exchange): Promise<number>;
  /** Gives the vectors that the team lacks. @returns how many those are */
  give(exchange: Exchange): Promise<number>;
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
/** What keeps no one from reading: whoever may only read gives nothing, and goes on taking. */
const readers: readonly IndexStoreReason[] = ['no-rights', 'read-only'];

export function createTeamVectors(connection: TeamConnection): TeamVectors {
  /** Works with the store for the files of each folder. @returns the count that was done, also where it failed then */
  async function withStore(
    exchange: Exchange,
    work: (team: IndexStore, part: Exchange, done: (count: number) => void) => Promise<void>,
  ): Promise<number> {
    const { store, files, signal } = exchange;
    let all = 0;
    const done = (count: number): void => {
      all += count;
    };
    for (const root of store().roots()) {
      const part = { ...exchange, files: within(store().filesMatching([root]), files) };
      if (part.files?.length === 0) continue;
      // Updates of files leave a store alone that failed. A whole run always asks.
      await connection.use(root, signal, (team) => work(team, part, done), { rests: files !== undefined });
      const problem = connection.problemIn([root]);
      if (problem !== undefined && problem !== 'no-rights') break;
    }
    return all;
  }

  return {
    take: (exchange) => withStore(exchange, takeMissing),
    give: (exchange) =>
      withStore(exchange, (team, part, done) =>
        giveMissing(team, part, done).catch((error: unknown) => {
          if (!(error instanceof IndexStoreError && readers.includes(error.reason))) throw error;
        }),
      ),
  };
}

/** The files that are in both; undefined stands for all. */
function within(
  some: readonly number[] | undefined,
  files: readonly number[] | undefined,
): readonly number[] | undefined {
  if (some === undefined || files === undefined) return some ?? files;
  const set = new Set(some);
  return files.filter((file) => set.has(file));
}

async function takeMissing(
  team: IndexStore,
  { store, space, source, files, signal }: Exchange,
  done: (count: number) => void,
): Promise<void> {
  const wanted = store().hashesWithout(space, files);
  for (let from = 0; from < wanted.length; from += vectorsAtOnce) {
    const found = await team.vectors(source, wanted.slice(from, from + vectorsAtOnce), signal);
    const fitting = ofOneLength(found, store().dimensions(space));
    await whenFree(() => store().putVectors(space, fitting), signal);
    done(fitting.length);
    // A search may run in between.
    await nextTurn();
  }
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

import type { IndexStoreReason } from './indexStoreError.ts';
import { IndexStoreError } from './indexStoreError.ts';
import type { PostgresStore } from './postgres/postgresStore.ts';

/** The store of a team, as a user has set it. */
export interface TeamStoreAddress {
  /** A connection string of PostgreSQL. It may hold a password, and goes nowhere but to the server. */
  readonly address: string;
}

/** The same, for the repository of a folder. */
interface StoreOfRepository extends TeamStoreAddress {
  /** What names the repository on all machines. */
  readonly repository: string;
}

/** What the store of a team has, for somebody who has just set it. */
export interface TeamStoreFacts {
  /** The address without its password. */
  readonly shown: string;
  /** Vectors of all sources, about; absent for whoever may search, and count nothing. */
  readonly vectors?: number;
}

/** What became of the files of an index in the store of a team. */
export interface PublishedCounts {
  /** Files that are stored anew. */
  readonly stored: number;
  /** Files of the store that the index no longer has. */
  readonly forgotten: number;
  /** Files that the store cannot take. */
  readonly refused: number;
}

/** What was published. */
export interface PublishResult extends PublishedCounts {
  /** Why it was not all; what was stored before stays, and the next run goes on. */
  readonly problem?: IndexStoreReason | undefined;
}

/** Opens the store of a team. Its client is loaded only here: whoever has none does without. */
export async function openTeamStore(
  { address, repository }: StoreOfRepository,
  signal: AbortSignal,
): Promise<PostgresStore> {
  const { openPostgresStore } = await import('./postgres/postgresStore.ts');
  return openPostgresStore({ address, repository }, signal);
}

/** Opens the store of a team, and says what it has. @throws IndexStoreError why it cannot be used */
export async function tryTeamStore(at: StoreOfRepository, signal: AbortSignal): Promise<TeamStoreFacts> {
  const { parseAddress, shownAddress } = await import('./postgres/wire/serverAddress.ts');
  const shown = shownAddress(parseAddress(at.address));
  const store = await openTeamStore(at, signal);
  try {
    const counts = await store.status(signal).catch(async (error: unknown) => {
      if (!(error instanceof IndexStoreError && error.reason === 'no-rights')) throw error;
      // A reader may ask about its repository alone.
      await store.countWords(['a'], signal);
      return undefined;
    });
    return { shown, ...(counts && { vectors: counts.vectors.reduce((sum, { texts }) => sum + texts, 0) }) };
  } finally {
    await store.close();
  }
}

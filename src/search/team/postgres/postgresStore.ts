import { type Clock, systemClock } from '../../../base/clock.ts';
import type { IndexStore, StoredCounts } from '../indexStore.ts';
import { IndexStoreError } from '../indexStoreError.ts';
import { changedPaths, putFileRows, removeFileRows } from './fileRows.ts';
import { keepFileRows } from './keptFiles.ts';
import { buildNearIndexes } from './nearIndex.ts';
import { findNear } from './nearTexts.ts';
import { grantRole, type RepositoryRole, revokeRole } from './roles.ts';
import { openSchema } from './schema/migrateSchema.ts';
import { checkSchemaName } from './schema/schemaNames.ts';
import { isStorable, type StoreContext } from './storeContext.ts';
import { readCounts } from './storedCounts.ts';
import { missingVectors, putVectorRows, readVectors } from './vectorRows.ts';
import { parseAddress } from './wire/serverAddress.ts';
import { type ConnectionOptions, connectServer } from './wire/serverConnection.ts';
import { countWordRows, findWordTexts } from './wordTexts.ts';

/** Which index of which server. */
export interface PostgresOptions extends ConnectionOptions {
  /** `postgres://user:password@host/database`. It goes nowhere but to the server. */
  readonly address: string;
  /** What names the repository on all machines. */
  readonly repository: string;
  /** The schema of the index. Default: `parley`. */
  readonly schema?: string;
  readonly clock?: Clock;
  /** Chunks in a filter up to which a question goes through all of them. Default: what was found to be as fast. */
  readonly exactRows?: number;
}

/** The index of a team in PostgreSQL with pgvector, or in what speaks the same. */
export interface PostgresStore extends IndexStore {
  /** Indexes vectors of which there are enough (from `least` on); for the owner, after a load. */
  buildIndexes(signal: AbortSignal, least?: number): Promise<void>;
  /** Lets a login of the server search or index this repository; for the owner. @returns what it may do now */
  grant(login: string, role: RepositoryRole, signal: AbortSignal): Promise<RepositoryRole>;
  /** Takes that away again; for the owner. @returns whether there was anything to take */
  revoke(login: string, signal: AbortSignal): Promise<boolean>;
}

/**
 * Opens the index of a repository, and makes or upgrades its schema. Throws an `IndexStoreError` with the reason why it cannot be used.
 */
export async function openPostgresStore(options: PostgresOptions, signal: AbortSignal): Promise<PostgresStore> {
  const { repository, clock = systemClock, exactRows } = options;
  const schema = checkSchemaName(options.schema ?? 'parley');
  if (!isStorable(repository)) throw new IndexStoreError('bad-address', 'repository');
  const server = connectServer(parseAddress(options.address), options);
  try {
    const { names, facts } = await openSchema(server, schema, clock, signal);
    const { hasRowChecks } = facts;
    return storeOf({ server, names, repository, hasRowChecks, exactRows: exactRows && Math.floor(exactRows) });
  } catch (error) {
    await server.close();
    throw error;
  }
}

function storeOf(context: StoreContext): PostgresStore {
  return {
    missing: (source, hashes, signal) => missingVectors(context, source, hashes, signal),
    vectors: (source, hashes, signal) => readVectors(context, source, hashes, signal),
    putVectors: (source, rows, signal) => putVectorRows(context, source, rows, signal),
    changedFiles: (files, signal) => changedPaths(context, files, signal),
    putFiles: (files, signal) => putFileRows(context, files, signal),
    removeFiles: (paths, signal) => removeFileRows(context, paths, signal),
    keepFiles: (paths, signal) => keepFileRows(context, paths, signal),
    nearest: (source, vector, limit, paths, signal) => findNear(context, { source, vector, limit, paths }, signal),
    findWords: (words, limit, paths, signal) => findWordTexts(context, { words, limit, paths }, signal),
    countWords: (words, signal) => countWordRows(context, words, signal),
    status: (signal): Promise<StoredCounts> => readCounts(context, signal),
    async settle(signal) {
      await buildNearIndexes(context, signal).catch((error: unknown) => {
        // Only the owner of a table may index it.
        if (!(error instanceof IndexStoreError && error.reason === 'no-rights')) throw error;
      });
    },
    buildIndexes: (signal, least) => buildNearIndexes(context, signal, least),
    grant: (login, role, signal) => grantRole(context, login, role, signal),
    revoke: (login, signal) => revokeRole(context, login, signal),
    close: () => context.server.close(),
  };
}

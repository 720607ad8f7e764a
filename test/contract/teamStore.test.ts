/** The index of a team, on every server that there is. */
import { openPostgresStore } from '../../src/search/team/postgres/postgresStore.ts';
import { calm, indexStoreContract, type TriedStores } from './indexStoreContract.ts';
import { namedPostgres, startDebianPostgres, startPglite, type TestPostgres } from './postgresServers.ts';

const on = async (started: Promise<TestPostgres>): Promise<TriedStores> => {
  const { address, run, stop } = await started;
  const schema = `parley_${process.pid}`;
  return {
    open: (repository) => openPostgresStore({ address, repository, schema }, calm),
    async stop() {
      await run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await stop();
    },
  };
};

indexStoreContract('Debian’s PostgreSQL', () => on(startDebianPostgres()));
indexStoreContract('PGlite', () => on(startPglite()));
const named = namedPostgres();
if (named !== undefined) indexStoreContract(named.name, () => on(Promise.resolve(named)));

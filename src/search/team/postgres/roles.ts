import { IndexStoreError } from '../indexStoreError.ts';
import { quoteName, type SchemaNames } from './schema/schemaNames.ts';
import { type StoreContext, settingsOf, writtenRepository } from './storeContext.ts';
import type { Transaction } from './wire/serverConnection.ts';

/** What somebody may do with a repository: search it, or index it as well. */
export type RepositoryRole = 'reader' | 'indexer';

/** The functions that a reader may call; all else belongs to indexers. */
const readerFunctions = ['vectors_of', 'nearest', 'words', 'word_counts'];

/**
 * Lets a login of the server search, or index, the repository of a store. Only the owner of the schema can. A reader may call functions
 * and read no table. Throws `no-rights` for anybody else, and `unexpected` for a login that is not there.
 */
export function grantRole(
  context: StoreContext,
  login: string,
  role: RepositoryRole,
  signal: AbortSignal,
): Promise<void> {
  const work = async (transaction: Transaction): Promise<void> => {
    const { names } = context;
    const [found] = await transaction.rows('SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)', [login], {
      isThere: 'boolean',
    });
    if (found?.isThere !== true) throw new IndexStoreError('unexpected', 'login');
    const repo = await writtenRepository(context, transaction);
    await transaction.run(
      `INSERT INTO ${names.schema}.grants (login, repo, writes) VALUES ($1, $2, $3)
        ON CONFLICT (login, repo) DO UPDATE SET writes = grants.writes OR excluded.writes`,
      [login, repo, role === 'indexer'],
    );
    const statements =
      role === 'reader' ? readerSql(names) : [...readerSql(names), ...(await indexerSql(names, transaction))];
    for (const statement of statements) await transaction.run(`${statement} TO ${quoteName(login)}`);
  };
  return context.server.transaction(signal, work, { settings: settingsOf(context) });
}

const readerSql = ({ schema }: SchemaNames): string[] => [
  `GRANT USAGE ON SCHEMA ${schema}`,
  ...readerFunctions.map((name) => `GRANT EXECUTE ON FUNCTION ${schema}.${name}`),
];

async function indexerSql({ schema, isSpread }: SchemaNames, transaction: Transaction): Promise<string[]> {
  const sources = await transaction.rows(`SELECT id FROM ${schema}.sources`, [], { id: 'integer' });
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.files, ${schema}.chunks`,
    `GRANT SELECT ON ${schema}.repositories, ${schema}.sources, ${schema}.migrations`,
    `GRANT UPDATE (chunks, words) ON ${schema}.repositories`,
    `GRANT EXECUTE ON FUNCTION ${schema}.add_source${isSpread ? '' : `, ${schema}.writable`}`,
    ...sources.map(({ id }) => `GRANT SELECT, INSERT ON ${schema}.vectors_${id}`),
  ];
}

import { IndexStoreError } from '../indexStoreError.ts';
import { quoteName, type SchemaNames } from './schema/schemaNames.ts';
import { findRepository, type StoreContext, settingsOf, writtenRepository } from './storeContext.ts';
import type { Transaction } from './wire/serverConnection.ts';

/** What somebody may do with a repository: search it, or index it as well. */
export type RepositoryRole = 'reader' | 'indexer';

/** The functions that a reader may call; all else belongs to indexers. */
const readerFunctions = ['vectors_of', 'nearest', 'words', 'word_counts'];

/**
 * Lets a login of the server search, or index, the repository of a store. Only the owner of the schema can. A reader may call functions
 * and read no table. Throws `no-rights` for anybody else, and `unexpected` for a login that is not there (`login`) or that nobody logs in
 * as (`group`): members of a group are no logins of ours.
 * @returns what the login may do now: who could index before still can
 */
export function grantRole(
  context: StoreContext,
  login: string,
  role: RepositoryRole,
  signal: AbortSignal,
): Promise<RepositoryRole> {
  const work = async (transaction: Transaction): Promise<RepositoryRole> => {
    const { names } = context;
    const sql = 'SELECT rolcanlogin FROM pg_roles WHERE rolname = $1';
    const [found] = await transaction.rows(sql, [login], { logsIn: 'boolean' });
    if (found?.logsIn !== true) throw new IndexStoreError('unexpected', found === undefined ? 'login' : 'group');
    const repo = await writtenRepository(context, transaction);
    const [granted] = await transaction.rows(
      `INSERT INTO ${names.schema}.grants (login, repo, writes) VALUES ($1, $2, $3)
        ON CONFLICT (login, repo) DO UPDATE SET writes = grants.writes OR excluded.writes RETURNING writes`,
      [login, repo, role === 'indexer'],
      { writes: 'boolean' },
    );
    const statements =
      role === 'reader' ? readerSql(names) : [...readerSql(names), ...(await indexerSql(names, transaction))];
    for (const statement of statements) await transaction.run(`GRANT ${statement} TO ${quoteName(login)}`);
    return granted?.writes === true ? 'indexer' : 'reader';
  };
  return context.server.transaction(signal, work, { settings: settingsOf(context) });
}

/**
 * Takes the repository of a store away from a login; the rights to functions and tables, too, where it has no other repository for which it
 * needs them. A login that the server no longer has may come back as somebody else's: what was granted to it is taken away all the same.
 * @returns whether anything had been granted
 */
export function revokeRole(context: StoreContext, login: string, signal: AbortSignal): Promise<boolean> {
  const work = async (transaction: Transaction): Promise<boolean> => {
    const { names, repository } = context;
    const { schema } = names;
    const repo = await findRepository(names, repository, transaction);
    if (repo === undefined) return false;
    const sql = `DELETE FROM ${schema}.grants WHERE login = $1 AND repo = $2 RETURNING writes`;
    const [gone] = await transaction.rows(sql, [login, repo], { writes: 'boolean' });
    if (gone === undefined) return false;
    const [left] = await transaction.rows(
      `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1), count(*), count(*) FILTER (WHERE writes)
        FROM ${schema}.grants WHERE login = $1`,
      [login],
      { isThere: 'boolean', all: 'integer', writing: 'integer' },
    );
    if (left?.isThere !== true) return true;
    const statements = [
      ...(gone.writes && left.writing === 0 ? await indexerSql(names, transaction) : []),
      ...(left.all === 0 ? readerSql(names) : []),
    ];
    for (const statement of statements) await transaction.run(`REVOKE ${statement} FROM ${quoteName(login)}`);
    return true;
  };
  return context.server.transaction(signal, work, { settings: settingsOf(context) });
}

/** What a reader needs, without the word before it and the login behind. */
const readerSql = ({ schema }: SchemaNames): string[] => [
  `USAGE ON SCHEMA ${schema}`,
  ...readerFunctions.map((name) => `EXECUTE ON FUNCTION ${schema}.${name}`),
];

/** What an indexer needs besides. */
async function indexerSql({ schema, isSpread }: SchemaNames, transaction: Transaction): Promise<string[]> {
  const sources = await transaction.rows(`SELECT id FROM ${schema}.sources`, [], { id: 'integer' });
  return [
    `SELECT, INSERT, UPDATE, DELETE ON ${schema}.files, ${schema}.chunks`,
    `SELECT ON ${schema}.repositories, ${schema}.sources, ${schema}.migrations`,
    `UPDATE (chunks, words) ON ${schema}.repositories`,
    `EXECUTE ON FUNCTION ${schema}.add_source${isSpread ? '' : `, ${schema}.writable`}`,
    ...sources.map(({ id }) => `SELECT, INSERT ON ${schema}.vectors_${id}`),
  ];
}

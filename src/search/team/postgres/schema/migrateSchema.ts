import type { Clock } from '../../../../base/clock.ts';
import { IndexStoreError } from '../../indexStoreError.ts';
import type { ServerConnection, Transaction } from '../wire/serverConnection.ts';
import { functionsSql } from './functionsSql.ts';
import { checkVectors, probeServer, type ServerFacts, schemaComment } from './probeServer.ts';
import { quoteName, quoteText, type SchemaNames } from './schemaNames.ts';
import { tablesSql } from './tablesSql.ts';

/** A step of the schema. It runs once, in its turn, in the transaction that all steps share; it is never changed afterwards. */
type Migration = (transaction: Transaction, names: SchemaNames) => Promise<void>;

const migrations: readonly Migration[] = [makeIndex];
/** The version of the schema that this program knows. */
const schemaVersion = migrations.length;

/** How long another's migration is waited for, and how often it is looked for. */
const waitMs = 120_000;
const pollMs = 100;
/** A step may have to go through all rows. */
const migrationMs = 600_000;

/** A schema that is ready, and what its server is. */
export interface ReadySchema {
  readonly names: SchemaNames;
  readonly facts: ServerFacts;
}

/**
 * Brings the schema of an index to the version that this program knows. Of several that come at once, one does it and the others look
 * again and again whether they may: who waits within a statement is waited for by others, up to a deadlock.
 */
export async function openSchema(
  server: ServerConnection,
  schema: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadySchema> {
  const probe = () =>
    server.transaction(signal, (transaction) => probeServer(transaction, schema), { isReading: true });
  const facts = await probe();
  if (facts.schemaVersion === schemaVersion) return ready(schema, facts);
  if ((facts.schemaVersion ?? 0) > schemaVersion) {
    throw new IndexStoreError('newer-schema', String(facts.schemaVersion));
  }
  const until = clock.now() + waitMs;
  while (!(await tryMigrate(server, schema, signal))) {
    if (clock.now() > until) throw new IndexStoreError('busy', 'migration');
    await clock.sleep(pollMs, signal);
  }
  return ready(schema, await probe());
}

function ready(schema: string, facts: ServerFacts): ReadySchema {
  const vector = checkVectors(facts);
  const names = { schema: quoteName(schema), extension: quoteName(vector.schema), isSpread: facts.isSpread };
  return { facts, names };
}

/** Runs the steps that are missing; false where somebody else is at it. */
function tryMigrate(server: ServerConnection, schema: string, signal: AbortSignal): Promise<boolean> {
  const work = async (transaction: Transaction): Promise<boolean> => {
    const [lock] = await transaction.rows(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))',
      [`Parley ${schema}`],
      { isOurs: 'boolean' },
    );
    if (lock?.isOurs !== true) return false;
    const version = await versionOf(transaction, schema);
    if (version > schemaVersion) throw new IndexStoreError('newer-schema', String(version));
    const facts = await probeServer(transaction, schema);
    if (facts.vector === undefined) await addVectors(transaction);
    const { names } = ready(schema, await probeServer(transaction, schema));
    for (const [at, migrate] of migrations.entries()) {
      if (at < version) continue;
      await migrate(transaction, names);
      await transaction.run(`INSERT INTO ${names.schema}.migrations (version) VALUES ($1)`, [at + 1]);
    }
    await transaction.run(`COMMENT ON SCHEMA ${names.schema} IS ${quoteText(schemaComment(schemaVersion))}`);
    return true;
  };
  return server.transaction(signal, work, { statementMs: migrationMs });
}

/** The last step that was done. */
async function versionOf(transaction: Transaction, schema: string): Promise<number> {
  const table = `${quoteName(schema)}.migrations`;
  const [found] = await transaction.rows('SELECT to_regclass($1) IS NOT NULL', [table], { isThere: 'boolean' });
  if (found?.isThere !== true) return 0;
  const [last] = await transaction.rows(`SELECT coalesce(max(version), 0) FROM ${table}`, [], { version: 'integer' });
  return last?.version ?? 0;
}

/** Adds pgvector to the database, where the server has it. Throws `no-vectors` where it does not. */
async function addVectors(transaction: Transaction): Promise<void> {
  const isThere = await isAvailable(transaction, 'vector');
  if (!isThere) throw new IndexStoreError('no-vectors');
  await transaction.run('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
}

async function isAvailable(transaction: Transaction, extension: string): Promise<boolean> {
  const sql = 'SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = $1)';
  const [found] = await transaction.rows(sql, [extension], { isThere: 'boolean' });
  return found?.isThere === true;
}

/** The first version. */
async function makeIndex(transaction: Transaction, names: SchemaNames): Promise<void> {
  const { schema } = names;
  await transaction.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  // Whoever owns a schema may put other tables in the place of ours.
  const [owner] = await transaction.rows(
    'SELECT nspowner = current_user::regrole FROM pg_namespace WHERE oid = to_regnamespace($1)',
    [schema],
    { isOurs: 'boolean' },
  );
  if (owner?.isOurs !== true) throw new IndexStoreError('no-rights', 'schema');
  await transaction.run(
    `CREATE TABLE ${schema}.migrations (version int PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())`,
  );
  const hasBtreeGin = await addBtreeGin(transaction);
  for (const statement of [...tablesSql(names, { hasBtreeGin }), ...functionsSql(names)])
    await transaction.run(statement);
  await transaction.run(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC`);
  await transaction.run(`REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC`);
}

/** Adds what indexes a number and words together, where it can be had; without it, two indexes are asked. */
async function addBtreeGin(transaction: Transaction): Promise<boolean> {
  if (!(await isAvailable(transaction, 'btree_gin'))) return false;
  await transaction.run('SAVEPOINT btree_gin');
  try {
    await transaction.run('CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public');
    await transaction.run('RELEASE SAVEPOINT btree_gin');
    return true;
  } catch {
    await transaction.run('ROLLBACK TO SAVEPOINT btree_gin');
    return false;
  }
}

import type { SchemaNames } from './schemaNames.ts';

/** Whether words can be indexed together with the repository they are of. */
export interface TableOptions {
  readonly hasBtreeGin: boolean;
}

/**
 * The tables of an index. Vectors stand in tables of their own, one for each source and length (`functionsSql.ts`), and are in
 * no relation to the rest but by hash: they are never changed, as a change of a row is one of all its indexes.
 */
export function tablesSql({ schema, isSpread }: SchemaNames, { hasBtreeGin }: TableOptions): string[] {
  return [
    `CREATE TABLE ${schema}.repositories (
      id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      -- Of all chunks: how many, and the number of their words.
      chunks bigint NOT NULL DEFAULT 0,
      words bigint NOT NULL DEFAULT 0)`,
    `CREATE TABLE ${schema}.sources (
      id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      dimensions int NOT NULL,
      UNIQUE (name, dimensions))`,
    `CREATE TABLE ${schema}.grants (
      login text NOT NULL,
      repo int NOT NULL,
      writes boolean NOT NULL,
      PRIMARY KEY (login, repo))`,
    `CREATE TABLE ${schema}.files (
      repo int NOT NULL,
      path text COLLATE "C" NOT NULL,
      hash bytea NOT NULL,
      PRIMARY KEY (repo, path))`,
    `CREATE TABLE ${schema}.chunks (
      repo int NOT NULL,
      path text COLLATE "C" NOT NULL,
      -- A long line is cut within, so that lines do not tell chunks apart.
      part int NOT NULL,
      -- The two halves of the SHA-256 of its text.
      hash uuid NOT NULL,
      tail uuid NOT NULL,
      first_line int NOT NULL,
      last_line int NOT NULL,
      length int NOT NULL,
      names text NOT NULL,
      enclosing text NOT NULL,
      body text,
      words tsvector NOT NULL,
      PRIMARY KEY (repo, path, part))`,
    ...(isSpread
      ? [
          `SELECT create_distributed_table('${schema}.files', 'repo')`,
          `SELECT create_distributed_table('${schema}.chunks', 'repo', colocate_with => '${schema}.files')`,
        ]
      : []),
    `CREATE INDEX chunks_hash ON ${schema}.chunks (repo, hash)`,
    `CREATE INDEX chunks_words ON ${schema}.chunks USING gin (${hasBtreeGin ? 'repo, ' : ''}words)`,
    ...(isSpread ? [] : rowSecuritySql(schema)),
  ];
}

/**
 * The second line, where somebody reads tables in spite of what he may: an indexer has the rows of his repositories alone. The
 * owner, as whom our functions run, is not held by it, so that words keep their index. Citus has no policies of this kind.
 */
function rowSecuritySql(schema: string): string[] {
  return [
    `CREATE FUNCTION ${schema}.writable() RETURNS int[] LANGUAGE sql STABLE SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS
      $$ SELECT coalesce(array_agg(g.repo), '{}') FROM ${schema}.grants g WHERE g.login = session_user AND g.writes $$`,
    ...['files', 'chunks'].flatMap((table) => [
      `ALTER TABLE ${schema}.${table} ENABLE ROW LEVEL SECURITY`,
      // In a query of its own it is asked once, and not for each row.
      `CREATE POLICY of_indexers ON ${schema}.${table} USING (repo = ANY ((SELECT ${schema}.writable())::int[]))`,
    ]),
  ];
}

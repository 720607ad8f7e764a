import type { SchemaNames } from './schemaNames.ts';

/**
 * What a reader may do: call functions that run as the owner of the tables, with a search path that nobody else can change, for the
 * repositories that are granted to the login. Indexers ask by the same functions: there is one form of each question.
 */
export function functionsSql(names: SchemaNames): string[] {
  return [
    ...[readableSql(names), addSourceSql(names), vectorsOfSql(names)],
    ...[nearestSql(names), wordsSql(names), wordCountsSql(names)],
  ];
}

/** Up to so many chunks in the filter a question goes through all of them: it is exact, and as fast (3.5 µs each). */
const exactRows = 30_000;
/** So many candidates for each text that is asked for are needed from an index of signs. */
const leastGathered = 5;
/** The most dimensions of which a row fits into a page: a vector there is read without a look-up. */
const mostInPage = 4_000;
/** The most places of a text that are told: a licence stands in every file. */
const mostPlaces = 20;

/**
 * As the owner, with the server's own functions alone: in a schema where others may make functions, one whose types fit better than the server's
 * would be taken in its place. What is of pgvector is named with its schema.
 */
const definer = 'LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp';

/** The number of a repository, for whoever may read it; null where the owner asks for one that is not there. */
const readableSql = (names: SchemaNames): string => `CREATE FUNCTION ${names.schema}.readable(asked text) RETURNS int
${definer} STABLE AS $f$
DECLARE
  found int;
  is_owner boolean := pg_has_role(session_user, current_user, 'MEMBER');
BEGIN
  SELECT r.id INTO found FROM ${names.schema}.repositories r WHERE r.name = asked AND (is_owner
    OR EXISTS (SELECT 1 FROM ${names.schema}.grants g WHERE g.login = session_user AND g.repo = r.id));
  IF found IS NULL AND NOT is_owner THEN
    RAISE insufficient_privilege USING MESSAGE = 'the repository is not granted to this login';
  END IF;
  RETURN found;
END $f$`;

/** The number of the table for vectors of a source and length, which is made where it is not there. */
const addSourceSql = (names: SchemaNames): string => {
  const { schema, extension, isSpread } = names;
  const owner = isSpread ? 'repo int NOT NULL, ' : '';
  return `CREATE FUNCTION ${schema}.add_source(source text, size int) RETURNS int
${definer} AS $f$
DECLARE
  found int;
  vectors text;
  indexer text;
BEGIN
  IF NOT pg_has_role(session_user, current_user, 'MEMBER')
    AND NOT EXISTS (SELECT 1 FROM ${schema}.grants g WHERE g.login = session_user AND g.writes) THEN
    RAISE insufficient_privilege USING MESSAGE = 'this login does not write';
  END IF;
  SELECT s.id INTO found FROM ${schema}.sources s WHERE s.name = source AND s.dimensions = size;
  IF found IS NOT NULL THEN RETURN found; END IF;
  -- Whoever comes second waits here for the first.
  INSERT INTO ${schema}.sources (name, dimensions) VALUES (source, size) ON CONFLICT DO NOTHING RETURNING id INTO found;
  IF found IS NULL THEN
    SELECT s.id INTO found FROM ${schema}.sources s WHERE s.name = source AND s.dimensions = size;
    RETURN found;
  END IF;
  vectors := '${schema}.vectors_' || found;
  EXECUTE format('CREATE TABLE %s (${owner}hash uuid NOT NULL, tail uuid NOT NULL, v ${extension}.halfvec(%s) NOT NULL,
    PRIMARY KEY (${isSpread ? 'repo, ' : ''}hash))', vectors, size);
  IF size <= ${mostInPage} THEN EXECUTE format('ALTER TABLE %s ALTER v SET STORAGE PLAIN', vectors); END IF;
  ${isSpread ? `PERFORM create_distributed_table(vectors, 'repo', colocate_with => '${schema}.chunks');` : ''}
  FOR indexer IN SELECT DISTINCT g.login FROM ${schema}.grants g WHERE g.writes LOOP
    EXECUTE format('GRANT SELECT, INSERT ON %s TO %I', vectors, indexer);
  END LOOP;
  RETURN found;
END $f$`;
};

/**
 * The vectors of texts. Whoever knows the SHA-256 of a text has the text: so it is enough to have any repository of this index, since
 * vectors are shared by all of them, except where those of a repository are a shard.
 */
const vectorsOfSql = (names: SchemaNames): string => {
  const { schema, extension, isSpread } = names;
  const rights = isSpread
    ? `r := ${schema}.readable(asked);
  IF r IS NULL THEN RETURN; END IF;`
    : `IF NOT EXISTS (SELECT 1 FROM ${schema}.grants g WHERE g.login = session_user) THEN
    r := ${schema}.readable(asked);
  END IF;`;
  return `CREATE FUNCTION ${schema}.vectors_of(asked text, source text, hashes uuid[])
RETURNS TABLE (hash uuid, tail uuid, vector bytea)
${definer} STABLE AS $f$
DECLARE
  r int;
  known int;
BEGIN
  ${rights}
  FOR known IN SELECT s.id FROM ${schema}.sources s WHERE s.name = source ORDER BY s.id LOOP
    RETURN QUERY EXECUTE format('SELECT v.hash, v.tail, ${extension}.halfvec_send(v.v) FROM ${schema}.vectors_%s v
      WHERE v.hash = ANY ($1) ${isSpread ? 'AND v.repo = $2' : ''}', known) USING hashes, r;
  END LOOP;
END $f$`;
};

/**
 * Texts near a vector. The form is chosen by the number of chunks in the filter: an index of vectors gives its nearest rows, and a filter
 * after it may leave none of them, without an error. What comes short is asked for exactly.
 */
const nearestSql = (names: SchemaNames): string => {
  const { schema, extension, isSpread } = names;
  const near = `OPERATOR(${extension}.<=>)`;
  const own = isSpread ? 'AND v.repo = $2' : '';
  const inFilter = `c.repo = $2 AND ($4::text[] IS NULL OR c.path = ANY ($4::text[]))`;
  return `CREATE FUNCTION ${schema}.nearest(asked text, source text, query ${extension}.halfvec, most int, only_paths text[])
RETURNS TABLE (hash uuid, tail uuid, cosine float8, path text, file bytea, first_line int, last_line int)
${definer} AS $f$
#variable_conflict use_column
DECLARE
  r int := ${schema}.readable(asked);
  size int := ${extension}.vector_dims(query);
  up_to bigint := coalesce(nullif(current_setting('parley.exact_rows', true), '')::bigint, ${exactRows});
  vectors text;
  n bigint;
  near uuid[];
  gathered bigint := 0;
BEGIN
  SELECT '${schema}.vectors_' || s.id INTO vectors FROM ${schema}.sources s WHERE s.name = source AND s.dimensions = size;
  IF r IS NULL OR vectors IS NULL THEN RETURN; END IF;
  IF only_paths IS NULL THEN
    SELECT chunks INTO n FROM ${schema}.repositories WHERE id = r;
  ELSE
    SELECT count(*) INTO n FROM
      (SELECT 1 FROM ${schema}.chunks c WHERE c.repo = r AND c.path = ANY (only_paths) LIMIT up_to + 1) counted;
  END IF;
  IF n > up_to AND EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(vectors || '_near') AND indisvalid) THEN
    -- The plan is to take rows in the order of the index until there are enough.
    PERFORM set_config('enable_sort', 'off', true);
    EXECUTE format('WITH k AS MATERIALIZED (SELECT v.hash, v.v FROM %s v
        WHERE EXISTS (SELECT 1 FROM ${schema}.chunks c WHERE c.hash = v.hash AND ${inFilter}) ${own}
        ORDER BY ${extension}.binary_quantize(v.v)::bit(%s) OPERATOR(${extension}.<~>) ${extension}.binary_quantize($1)::bit(%s) LIMIT greatest($3 * 10, 400)),
      t AS (SELECT k.hash, k.v ${near} $1 AS d FROM k ORDER BY d, hash LIMIT $3)
      SELECT array_agg(t.hash), (SELECT count(*) FROM k) FROM t', vectors, size, size)
      INTO near, gathered USING query, r, most, only_paths;
    PERFORM set_config('enable_sort', 'on', true);
  END IF;
  -- Signs alone tell the nearest of a few badly: there have to be several for each that is asked for.
  IF near IS NULL OR cardinality(near) < most OR gathered < most * ${leastGathered} THEN
    EXECUTE format('WITH h AS MATERIALIZED (SELECT DISTINCT c.hash FROM ${schema}.chunks c WHERE ${inFilter}),
      t AS MATERIALIZED (SELECT v.hash, v.v ${near} $1 AS d FROM %s v JOIN h USING (hash)
        ${isSpread ? 'WHERE v.repo = $2' : ''} ORDER BY d, hash LIMIT $3)
      SELECT array_agg(t.hash) FROM t', vectors) INTO near USING query, r, most, only_paths;
  END IF;
  RETURN QUERY EXECUTE format('SELECT v.hash, v.tail, 1 - (v.v ${near} $1), p.path, f.hash, p.first_line, p.last_line
    FROM %s v
    CROSS JOIN LATERAL (SELECT c.path, c.part, c.first_line, c.last_line FROM ${schema}.chunks c
      WHERE c.hash = v.hash AND c.tail = v.tail AND ${inFilter} ORDER BY c.path, c.part LIMIT ${mostPlaces}) p
    JOIN ${schema}.files f ON f.repo = $2 AND f.path = p.path
    WHERE v.hash = ANY ($3) ${own}
    ORDER BY 3 DESC, v.hash, p.path, p.part', vectors) USING query, r, near, only_paths;
END $f$`;
};

/** Chunks with words, in no order, with the words that they have: whoever asks ranks them. */
const wordsSql = (names: SchemaNames): string => {
  const { schema } = names;
  return `CREATE FUNCTION ${schema}.words(asked text, sought tsquery, most int, only_paths text[])
RETURNS TABLE (hash uuid, tail uuid, path text, file bytea, first_line int, last_line int, length int, words text)
${definer} AS $f$
#variable_conflict use_column
DECLARE
  r int := ${schema}.readable(asked);
BEGIN
  RETURN QUERY EXECUTE 'SELECT c.hash, c.tail, c.path, f.hash, c.first_line, c.last_line, c.length, c.words::text
    FROM (SELECT * FROM ${schema}.chunks c WHERE c.repo = $1 AND c.words @@ $2
      AND ($4::text[] IS NULL OR c.path = ANY ($4::text[])) LIMIT $3) c
    JOIN ${schema}.files f ON f.repo = $1 AND f.path = c.path' USING r, sought, most, only_paths;
END $f$`;
};

/**
 * How many chunks have each word: counted up to a limit, and above it as often as the statistics of the table say, which know the
 * commonest thousand. How many chunks there are, and the number of all their words.
 */
const wordCountsSql = (names: SchemaNames): string => {
  const { schema } = names;
  return `CREATE FUNCTION ${schema}.word_counts(asked text, terms text[], sought tsquery[], most int)
RETURNS TABLE (chunks bigint, words bigint, counted bigint[], likely bigint[])
${definer} AS $f$
#variable_conflict use_column
DECLARE
  r int := ${schema}.readable(asked);
  common text[];
  shares real[];
  n bigint;
BEGIN
  SELECT p.chunks, p.words INTO chunks, words FROM ${schema}.repositories p WHERE p.id = r;
  IF chunks IS NULL THEN RETURN; END IF;
  SELECT s.most_common_elems::text::text[], s.most_common_elem_freqs INTO common, shares FROM pg_stats s
    WHERE s.schemaname = '${schema.replaceAll('"', '')}' AND s.tablename = 'chunks' AND s.attname = 'words';
  FOR at IN 1 .. coalesce(cardinality(sought), 0) LOOP
    EXECUTE 'SELECT count(*) FROM (SELECT 1 FROM ${schema}.chunks c WHERE c.repo = $1 AND c.words @@ $2 LIMIT $3) counted'
      INTO n USING r, sought[at], most;
    counted := counted || n;
    likely := likely || CASE WHEN n < most THEN n
      ELSE greatest(n, (coalesce(shares[array_position(common, terms[at])], 0) * chunks)::bigint) END;
  END LOOP;
  counted := coalesce(counted, '{}');
  likely := coalesce(likely, '{}');
  RETURN NEXT;
END $f$`;
};

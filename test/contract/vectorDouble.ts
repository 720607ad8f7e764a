/**
 * What the index of a team uses of pgvector, in SQL, for a PostgreSQL without it: the type `halfvec`, whose bytes are those that
 * pgvector sends, the cosine distance, and the number of dimensions. It has no indexes and is slow. With it, what is of
 * locks, rights and connections can be tried with vectors on Debian's own server, for which Debian 12 has no pgvector.
 */
export const vectorDouble = `
CREATE TYPE halfvec;
CREATE FUNCTION halfvec_in(cstring, oid, int) RETURNS halfvec LANGUAGE internal IMMUTABLE STRICT AS 'byteain';
CREATE FUNCTION halfvec_out(halfvec) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout';
CREATE FUNCTION halfvec_recv(internal, oid, int) RETURNS halfvec LANGUAGE internal IMMUTABLE STRICT AS 'bytearecv';
CREATE FUNCTION halfvec_send(halfvec) RETURNS bytea LANGUAGE internal IMMUTABLE STRICT AS 'byteasend';
CREATE FUNCTION halfvec_typmod_in(cstring[]) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'varchartypmodin';
CREATE FUNCTION halfvec_typmod_out(int) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'varchartypmodout';
CREATE TYPE halfvec (INPUT = halfvec_in, OUTPUT = halfvec_out, RECEIVE = halfvec_recv, SEND = halfvec_send,
  TYPMOD_IN = halfvec_typmod_in, TYPMOD_OUT = halfvec_typmod_out, INTERNALLENGTH = variable, STORAGE = external);
CREATE CAST (halfvec AS bytea) WITHOUT FUNCTION;
CREATE FUNCTION vector_dims(halfvec) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS
  'SELECT get_byte($1::bytea, 0) * 256 + get_byte($1::bytea, 1)';
CREATE FUNCTION half_at(bytea, int) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN h >= 32768 THEN -1 ELSE 1 END
    * CASE WHEN (h >> 10) & 31 = 0 THEN (h & 1023) * 2::float8 ^ -24
      ELSE (1 + (h & 1023) / 1024::float8) * 2::float8 ^ (((h >> 10) & 31) - 15) END
  FROM (SELECT get_byte($1, 4 + 2 * $2) * 256 + get_byte($1, 5 + 2 * $2) AS h) half $$;
CREATE FUNCTION halfvec_distance(halfvec, halfvec) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT 1 - sum(a * b) / sqrt(sum(a * a) * sum(b * b))
  FROM (SELECT public.half_at($1::bytea, i) AS a, public.half_at($2::bytea, i) AS b
    FROM generate_series(0, public.vector_dims($1) - 1) AS i) both_at $$;
CREATE OPERATOR <=> (LEFTARG = halfvec, RIGHTARG = halfvec, FUNCTION = halfvec_distance);
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  VALUES (90001, 'vector', 10, 2200, true, '0.8.0');
`;

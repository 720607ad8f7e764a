/**
 * A server that says it is Citus and spreads nothing: what our statements for a table that is distributed by repository do can be
 * tried on one server. Whether Citus itself takes them is for a run with `PARLEY_TEST_POSTGRES`.
 */
export const citusDouble = `
SET allow_system_table_mods = on;
CREATE FUNCTION pg_catalog.create_distributed_table(text, text, colocate_with text DEFAULT 'default') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM $1::regclass, $3::regclass FROM (SELECT 1) AS one WHERE $3 <> 'default';
  IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2) THEN
    RAISE undefined_column;
  END IF;
END $$;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  VALUES (90002, 'citus', 10, 2200, true, '13.2');
`;

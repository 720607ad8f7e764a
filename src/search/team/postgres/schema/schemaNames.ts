import { IndexStoreError } from '../../indexStoreError.ts';

/** How the parts of a database are called in statements; all are quoted. */
export interface SchemaNames {
  /** The schema of the index. */
  readonly schema: string;
  /** The schema in which pgvector is. */
  readonly extension: string;
  /** Whether rows are spread over servers by repository (Citus): a vector is then stored once for each. */
  readonly isSpread: boolean;
}

/** The name of a schema that can be used; throws `bad-address` for another. */
export function checkSchemaName(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(name) || name.startsWith('pg_'))
    throw new IndexStoreError('bad-address', 'schema');
  return name;
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The table of the vectors of a source and length. */
export const vectorTable = ({ schema }: SchemaNames, id: number): string => `${schema}.vectors_${id}`;

import { IndexStoreError } from '../../indexStoreError.ts';
import type { Field } from './boundedQuery.ts';

/** What the fields of a row are. */
const readers = {
  integer: (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  number: (text: string) =>
    /^-?[\d.]+(?:e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined,
  text: (text: string) => text,
  boolean: (text: string) => (text === 't' || text === 'f' ? text === 't' : undefined),
  bytes: (text: string) => (/^\\x(?:[0-9a-f]{2})*$/.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined),
  /** Sixteen bytes. */
  uuid: (text: string) =>
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
      ? Buffer.from(text.replaceAll('-', ''), 'hex')
      : undefined,
};

type FieldKind = keyof typeof readers;
type ValueOf<K extends FieldKind> = NonNullable<ReturnType<(typeof readers)[K]>>;
/** The fields of a row in their order; a kind with `?` may be null. */
export type RowShape = Readonly<Record<string, FieldKind | `${FieldKind}?`>>;
export type RowOf<S extends RowShape> = {
  [N in keyof S]: S[N] extends `${infer K extends FieldKind}?`
    ? ValueOf<K> | undefined
    : S[N] extends FieldKind
      ? ValueOf<S[N]>
      : never;
};

/** Reads rows that came from a server. Throws `unexpected` where they are not what was asked for. */
export function readRows<S extends RowShape>(rows: readonly Field[][], shape: S): RowOf<S>[] {
  const fields = Object.entries(shape).map(([name, kind]) => {
    const isOptional = kind.endsWith('?');
    return { name, isOptional, read: readers[(isOptional ? kind.slice(0, -1) : kind) as FieldKind] };
  });
  return rows.map((row) => {
    if (row.length !== fields.length) throw new IndexStoreError('unexpected', 'columns');
    const read: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      const text = row[at];
      const value = typeof text === 'string' ? field.read(text) : undefined;
      const isMissing = text === null && field.isOptional;
      if (value === undefined && !isMissing) throw new IndexStoreError('unexpected', field.name);
      read[field.name] = value;
    }
    return read as RowOf<S>;
  });
}

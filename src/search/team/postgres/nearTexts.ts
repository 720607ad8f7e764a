import { normalise } from '../../vectors/quantise.ts';
import type { NearText } from '../indexStore.ts';
import { byText, placeShape } from './foundTexts.ts';
import { isStorable, type StoreContext, settingsOf } from './storeContext.ts';
import { halfvecOf, mostDimensions } from './wire/halfvec.ts';

/** Each comes with its places: more would be no answer to read. */
const mostTexts = 5_000;
/**
 * With an iterative scan the index goes on until the filter has let enough through; in the relaxed order it gives them as they come,
 * and they are sorted afterwards: the strict order leaves out what comes late.
 */
const scanSettings = [
  `SET LOCAL hnsw.iterative_scan = 'relaxed_order'`,
  'SET LOCAL hnsw.ef_search = 400',
  'SET LOCAL hnsw.max_scan_tuples = 40000',
];

/** The texts nearest to a vector; none for a vector without a direction. */
export async function findNear(
  context: StoreContext,
  {
    source,
    vector,
    limit,
    paths,
  }: { source: string; vector: Float32Array; limit: number; paths: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<NearText[]> {
  const unit = normalise(vector);
  const isVector = vector.length > 0 && vector.length <= mostDimensions && unit.every(Number.isFinite);
  const most = Math.min(Math.floor(limit), mostTexts);
  const only = paths?.filter(isStorable);
  if (!isVector || most < 1 || only?.length === 0 || !isStorable(source)) return [];
  const { schema } = context.names;
  const sql = `SELECT * FROM ${schema}.nearest($1, $2, $3::${context.names.extension}.halfvec, $4, $5)`;
  const shape = { hash: 'uuid', tail: 'uuid', cosine: 'text', ...placeShape } as const;
  const values = [context.repository, source, halfvecOf(unit), most, only ?? null];
  const rows = await context.server.transaction(signal, (transaction) => transaction.rows(sql, values, shape), {
    isReading: true,
    settings: settingsOf(context, ...scanSettings),
  });
  // A row that somebody else has put there without a direction is near to nothing, and takes none of the others along.
  const near = rows.filter(({ cosine }) => Number.isFinite(Number(cosine || Number.NaN)));
  return byText(near).map(({ hash, places, rows: [first] }) => ({ hash, places, cosine: Number(first?.cosine) }));
}

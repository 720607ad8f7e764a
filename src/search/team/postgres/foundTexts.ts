import type { TextPlace } from '../indexStore.ts';
import { keyOf } from './storeContext.ts';

/** A place as a row of an answer has it; both halves of the hash of its text. */
export interface PlaceRow {
  readonly hash: Buffer;
  readonly tail: Buffer;
  readonly path: string;
  readonly file: Buffer;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The fields of a place in a row. */
export const placeShape = {
  path: 'text',
  file: 'bytes',
  firstLine: 'integer',
  lastLine: 'integer',
} as const;

/** Rows by their text, in the order in which the texts came. */
export function byText<R extends PlaceRow>(rows: readonly R[]): { hash: Uint8Array; places: TextPlace[]; rows: R[] }[] {
  const texts = new Map<string, { hash: Uint8Array; places: TextPlace[]; rows: R[] }>();
  for (const row of rows) {
    const hash = Buffer.concat([row.hash, row.tail]);
    const key = keyOf(hash);
    const text = texts.get(key) ?? { hash, places: [] as TextPlace[], rows: [] as R[] };
    texts.set(key, text);
    text.rows.push(row);
    text.places.push({ path: row.path, fileHash: row.file, startLine: row.firstLine, endLine: row.lastLine });
  }
  return [...texts.values()];
}

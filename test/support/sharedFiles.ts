/** Shared files of vectors with something else in them. The layout is written anew here: a second reader of the form. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const headerOf = (bytes: Buffer): { length: number; value: Record<string, unknown> } => {
  const length = bytes.readUInt32LE(8);
  return { length, value: JSON.parse(bytes.toString('utf8', 12, 12 + length)) as Record<string, unknown> };
};

export function withHeader(bytes: Buffer, change: object): Buffer {
  const { length, value } = headerOf(bytes);
  const json = Buffer.from(JSON.stringify({ ...value, ...change }).padEnd(length));
  const head = Buffer.concat([bytes.subarray(0, 12), json]);
  head.writeUInt32LE(json.length, 8);
  return ended(head, bytes.subarray(12 + length, -32));
}

export function rowsOf(bytes: Buffer): Buffer[] {
  const { length, value } = headerOf(bytes);
  const size = 40 + 2 * Number(value.dimensions);
  return Array.from({ length: Number(value.count) }, (_, at) =>
    bytes.subarray(12 + length + at * size).subarray(0, size),
  );
}

export function withRows(bytes: Buffer, rows: readonly Buffer[]): Buffer {
  return ended(bytes.subarray(0, 12 + headerOf(bytes).length), Buffer.concat(rows));
}

function ended(head: Buffer, rows: Buffer): Buffer {
  const digest = createHash('sha256').update(head).update(createHash('sha256').update(rows).digest()).digest();
  return Buffer.concat([head, rows, digest]);
}

/** A row with the checksum that its vector has now. */
export function sealed(row: Buffer): Buffer {
  row.writeUInt32LE(crc32(row.subarray(36)), 32);
  return row;
}

/** Scale, values and rest of a vector of length 1 in the first direction. */
export function unit(dimensions: number): Buffer {
  const body = Buffer.alloc(4 + 2 * dimensions);
  body.writeFloatLE(1 / 127, 0);
  body.writeInt8(127, 4);
  return body;
}

import * as z from 'zod/mini';
import { ServiceError } from '../../../base/errors.ts';
import type { VectorRow } from '../../vectors/quantise.ts';
import { lengthOfWhole, unpackWhole } from '../../vectors/rowCodec.ts';

/**
 * The layout of a shared file: the vectors of an index, for others who have the same code. It holds no text, no path and no name of a
 * file; a text is named by its SHA-256 alone.
 *
 * - eight bytes that say what it is, and the length of the header (32 bits, little-endian)
 * - the header: JSON, padded with blanks
 * - the rows, in the order of their hashes, each once: hash of the text (32 bytes), vector in the whole layout of rowCodec.ts
 * - SHA-256 of all before it: of header and the SHA-256 of the rows, as the header is known last
 * - where it is signed: the Ed25519 signature (64 bytes) of `signedText`
 *
 * The same vectors make the same bytes.
 */
export const magic = Buffer.from('PARLEYIX');
export const headAt = magic.length + 4;
export const digestBytes = 32;
export const signatureBytes = 64;
export const hashBytes = 32;

/** The ending of a shared file. */
export const sharedFileEnding = '.parley-index';

/** Limits of a file that is read. A text of ten lines has some 4 kB as a row of a long vector. */
const mostHeader = 256 * 1024;
const mostDimensions = 16_384;
const mostRows = 20_000_000;

const headerSchema = z.object({
  format: z.literal(1),
  model: z.string().check(z.minLength(1), z.maxLength(2_000)),
  documentPrefix: z.optional(z.string().check(z.maxLength(100_000))),
  origin: z.optional(z.string().check(z.maxLength(2_000))),
  dimensions: z.int().check(z.minimum(1), z.maximum(mostDimensions)),
  chunker: z.int(),
  count: z.int().check(z.minimum(0), z.maximum(mostRows)),
});

/** What the vectors of a shared file are. */
export interface SharedFileHeader {
  readonly format: 1;
  readonly model: string;
  readonly documentPrefix?: string | undefined;
  /** The origin of the service that gave them. */
  readonly origin?: string | undefined;
  readonly dimensions: number;
  /** Version of the chunker that cut the texts: another cuts other texts, whose hashes are not in the file. */
  readonly chunker: number;
  readonly count: number;
}

/** Why a shared file is not taken, or not written, as the `hint` of an error of the kind `shared-file`. */
export type SharedFileReason =
  | 'missing'
  | 'not-written'
  | 'bad-address'
  | 'not-one'
  | 'newer'
  | 'damaged'
  | 'no-signature'
  | 'wrong-signature'
  | 'bad-key'
  | 'model'
  | 'service'
  | 'length'
  | 'empty';

/** @param about the model, service or file that the sentence names */
export function sharedFileError(reason: SharedFileReason, about?: string): ServiceError {
  return new ServiceError('shared-file', { hint: reason, message: about });
}

/** The head of a file: all before the rows. @param reserved so many bytes for the header, as its count is not known yet */
export function packHead(header: SharedFileHeader, reserved = headerSize(header)): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(headAt + reserved, ' ');
  magic.copy(head);
  head.writeUInt32LE(reserved, magic.length);
  json.copy(head, headAt);
  return head;
}

/** The bytes that a header takes, whatever its count. */
export function headerSize(header: SharedFileHeader): number {
  return Buffer.byteLength(JSON.stringify({ ...header, count: mostRows }));
}

/** The length of the header that the first bytes announce. @throws what says why it is none */
export function readHeaderSize(bytes: Buffer): number {
  if (bytes.length < headAt || !bytes.subarray(0, magic.length).equals(magic)) throw sharedFileError('not-one');
  const size = bytes.readUInt32LE(magic.length);
  if (size < 2 || size > mostHeader) throw sharedFileError('damaged');
  return size;
}

/** @param json the bytes of the header */
export function readHeader(json: Buffer): SharedFileHeader {
  let value: unknown;
  try {
    value = JSON.parse(json.toString('utf8'));
  } catch {
    throw sharedFileError('damaged');
  }
  const { format } = z.safeParse(z.object({ format: z.int().check(z.minimum(1)) }), value).data ?? {};
  if (format !== undefined && format !== 1) throw sharedFileError('newer');
  const read = headerSchema.safeParse(value);
  if (!read.success) throw sharedFileError('damaged');
  return read.data;
}

/** The bytes of a row. */
export function rowSize(dimensions: number): number {
  return hashBytes + 8 + 2 * dimensions;
}

/** The length of a whole file without a signature. */
export function unsignedSize(header: SharedFileHeader, size: number): number {
  return headAt + size + header.count * rowSize(header.dimensions) + digestBytes;
}

/** What is signed: a signature for another purpose does not fit. */
export function signedText(digest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('parley-index 1\n'), digest]);
}

/** The most that the length of a vector may differ from 1. */
const tolerance = 0.05;

/** Whether a row has a vector: a longer one would come before all others, whatever is asked. */
export function isSound(row: Buffer): boolean {
  const length = lengthOfWhole(row.subarray(hashBytes));
  return length !== undefined && Math.abs(length - 1) <= tolerance;
}

/** The vector of a row; undefined when it is corrupted. */
export function unpackRow(row: Buffer): VectorRow | undefined {
  const vector = unpackWhole(row.subarray(hashBytes));
  return vector && { hash: Uint8Array.prototype.slice.call(row, 0, hashBytes), ...vector };
}

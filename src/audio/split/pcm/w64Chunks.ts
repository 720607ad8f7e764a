import type { SourceFile } from '../sourceFile.ts';

/** A chunk of a WAV or AIFF: where its body begins, how long it says it is, and the first bytes of it. */
export interface RiffChunk {
  at: number;
  length: number;
  head: Buffer;
}

/** Bytes of the head of a chunk of Wave64: a GUID, whose first four bytes are the name in RIFF, and a length of 64 bits. */
const headLength = 24;
const mostChunks = 1_000;

/** The chunks of a Wave64 (Sony, “Sony Wave64”), by their names in RIFF. Lengths hold the head, too; each begins at whole eight bytes. */
export async function findW64Chunks(file: SourceFile, longestHeader: number): Promise<Map<string, RiffChunk>> {
  const found = new Map<string, RiffChunk>();
  let at = 40;
  for (let i = 0; i < mostChunks && at + headLength <= file.size; i++) {
    const bytes = await file.read(at, headLength + longestHeader);
    const name = bytes.toString('latin1', 0, 4);
    const length = Number(bytes.readBigUInt64LE(16));
    const body = { at: at + headLength, length: length - headLength, head: bytes.subarray(headLength) };
    if (!found.has(name)) found.set(name, body);
    if (name === 'data' || length < headLength) break;
    at += Math.ceil(length / 8) * 8;
  }
  return found;
}

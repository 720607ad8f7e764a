import { ServiceError } from '../../../../base/errors.ts';
import type { SourceFile } from '../../sourceFile.ts';
import { mostParts, readSize, segment } from './endOfContainer.ts';

const cluster = 0x1f43b675;

/**
 * A Matroska or WebM that is cut off, as one whose last cluster ends with its last whole block: a reader passes over a cluster that goes
 * on behind the end of the file, and over its seconds of sound.
 */
export async function endWithWholeBlock(file: SourceFile, signal: AbortSignal): Promise<SourceFile> {
  let at = 0;
  for (let i = 0; i < mostParts; i++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const element = await readElement(file, at);
    if (element?.size === undefined) return file;
    if (element.id === segment) at = element.from;
    else if (element.from + element.size <= file.size) at = element.from + element.size;
    else return element.id === cluster ? shorten(file, at, element, signal) : file;
  }
  return file;
}

interface Element {
  id: number;
  /** Where what is in it begins. */
  from: number;
  /** Bytes of what is in it; undefined where its writer did not know. */
  size: number | undefined;
  /** Bytes of the number that is its size. */
  sizeLength: number;
}

/** An element of EBML (RFC 8794, 5 to 7); undefined where the file ends. */
async function readElement(file: SourceFile, at: number): Promise<Element | undefined> {
  const head = await file.read(at, 12);
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (idLength > 4 || idLength >= head.length) return undefined;
  const size = readSize(head, idLength);
  const sizeLength = Math.clz32(head[idLength] ?? 0) - 23;
  if (sizeLength > 8 || idLength + sizeLength > head.length) return undefined;
  return { id: head.readUIntBE(0, idLength), from: at + idLength + sizeLength, size: size?.value, sizeLength };
}

async function shorten(
  file: SourceFile,
  at: number,
  { from, sizeLength }: Element,
  signal: AbortSignal,
): Promise<SourceFile> {
  let end = from;
  for (let i = 0; i < mostParts; i++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const child = await readElement(file, end);
    if (child?.size === undefined || child.from + child.size > file.size) break;
    end = child.from + child.size;
  }
  if (end === from) return { ...file, size: at };
  const size = sizeBytes(end - from, sizeLength);
  const sizeAt = from - sizeLength;
  return {
    ...file,
    size: end,
    async read(start, length, into) {
      const bytes = await file.read(start, Math.max(0, Math.min(length, end - start)), into);
      for (const [i, byte] of size.entries()) {
        const place = sizeAt + i - start;
        if (place >= 0 && place < bytes.length) bytes.writeUInt8(byte, place);
      }
      return bytes;
    },
  };
}

/** A size in as many bytes as another one had that was larger. */
function sizeBytes(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value) | (1n << BigInt(7 * length)));
  return bytes.subarray(8 - length);
}

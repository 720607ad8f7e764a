import { addAbortSignal, Duplex, pipeline, type Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The codings that are asked for. */
export const acceptEncoding = 'gzip, br, deflate';

/** The most codings: two where a proxy packs what is packed; each further one multiplies what few bytes can become. */
const mostCodings = 2;
/** The largest ratio of unpacked to packed bytes: text has about 20, a tone or a list of zeros 100. */
const largestRatio = 200;
/** Bytes that may be unpacked whatever the ratio. */
const freeBytes = 8 * 1024 * 1024;

/** `code` of the error of a body that is packed too often or too tightly. */
const codingFailure = 'ERR_CONTENT_CODING';

// Each piece is passed on as soon as it can be read, and of a body that was cut all that came.
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliFlush = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/**
 * Takes off the codings of `content-encoding` (RFC 9110, 8.4), the last first; an unknown one is left on. The signal ends
 * the unpacking, also of bytes that have all come; so does a reader that leaves early.
 * @throws Error with `codingFailure` for too many codings; so ends the body that is packed too tightly
 */
export function decompress(
  body: Readable,
  contentEncoding: string,
  onBytes: () => void,
  signal: AbortSignal,
): Readable {
  const codings = contentEncoding.toLowerCase().split(',', mostCodings + 2);
  const stages = codings.map((coding) => createStage(coding.trim())).filter((stage) => stage !== undefined);
  if (stages.length === 0) return body;
  if (codings.length > mostCodings) {
    for (const stream of [body, ...stages]) stream.on('error', () => undefined).destroy();
    throw codingError();
  }
  let packed = 0;
  // Packed bytes are counted before they are unpacked: small pieces may stay inside for a while.
  const count = counter((bytes) => {
    packed += bytes;
    onBytes();
  });
  const checked = stages.reverse().flatMap((stage) => {
    let unpacked = 0;
    const check = counter((bytes) => {
      unpacked += bytes;
      if (unpacked > freeBytes && unpacked > packed * largestRatio) throw codingError();
    });
    return [stage, check];
  });
  // A failure reaches the reader of the last stage.
  const last = pipeline([body, count, ...checked], () => undefined) as unknown as Readable;
  return addAbortSignal(signal, last);
}

/** Whether reading failed because the body is not what its coding says, or says too much. */
export function isCorrupt(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_CONTENT_CODING)/.test(code);
}

function codingError(): Error {
  return Object.assign(new Error('content-encoding'), { code: codingFailure });
}

/** Passes bytes through. @param told may throw, which ends the body with that error */
function counter(told: (bytes: number) => void): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        told(bytes.length);
        done(null, bytes);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function createStage(coding: string): Duplex | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(flush);
  if (coding === 'br') return createBrotliDecompress(brotliFlush);
  return coding === 'deflate' ? createAnyInflate() : undefined;
}

/** `deflate` has the header of zlib by the standard, but some servers leave it out: the first byte tells. */
function createAnyInflate(): Duplex {
  let inflate: Transform | undefined;
  const begin = (first: number): Transform => {
    const made = (first & 0x0f) === 8 ? createInflate(flush) : createInflateRaw(flush);
    // Unpacking waits for the reader.
    made.on('data', (piece) => outer.push(piece) || made.pause());
    made.on('end', () => outer.push(null)).on('error', (error) => outer.destroy(error));
    return made;
  };
  const outer: Duplex = new Duplex({
    write(bytes: Buffer, _encoding, done) {
      inflate ??= begin(bytes[0] ?? 0);
      inflate.write(bytes, () => done());
    },
    final(done) {
      if (inflate === undefined) outer.push(null);
      else inflate.end();
      done();
    },
    read: () => void inflate?.resume(),
    destroy(error, done) {
      inflate?.destroy();
      done(error);
    },
  });
  return outer;
}

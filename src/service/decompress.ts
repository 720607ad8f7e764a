import { pipeline, type Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The codings that are asked for. */
export const acceptEncoding = 'gzip, br, deflate';

// Each piece is given on as soon as it can be read, and of a body that was cut all that came.
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliFlush = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Takes off the codings of `content-encoding` (RFC 9110, 8.4), the last first; an unknown one is left on. */
export function decompress(body: Readable, contentEncoding: string, onBytes: () => void): Readable {
  const stages = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => createStage(coding.trim()))
    .filter((stage) => stage !== undefined)
    .reverse();
  if (stages.length === 0) return body;
  // What came is counted before it is unpacked: small pieces may stay inside for a while.
  const count = new Transform({
    transform: (bytes, _encoding, done) => {
      onBytes();
      done(null, bytes);
    },
  });
  // A failure reaches whoever reads the last stage.
  return pipeline([body, count, ...stages], () => undefined) as unknown as Readable;
}

/** Whether reading failed because the body is not what its coding says. */
export function isCorrupt(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(Z_|ERR_BROTLI|ERR__ERROR)/.test(code);
}

function createStage(coding: string): Transform | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(flush);
  if (coding === 'br') return createBrotliDecompress(brotliFlush);
  return coding === 'deflate' ? createAnyInflate() : undefined;
}

/** `deflate` has the header of zlib by the standard, but some servers leave it out. */
function createAnyInflate(): Transform {
  let inflate: Transform | undefined;
  const outer: Transform = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      if (inflate === undefined) {
        inflate = ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate(flush) : createInflateRaw(flush);
        inflate.on('data', (piece) => outer.push(piece)).on('error', (error) => outer.destroy(error));
      }
      inflate.write(bytes, () => done());
    },
    flush(done) {
      if (inflate === undefined) return done();
      inflate.on('end', () => done()).end();
    },
  });
  return outer;
}

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import type { Upload } from '../request.ts';

/** A form as it goes over the wire (RFC 7578). */
export interface Multipart {
  contentType: string;
  /** Length of `bytes`, known beforehand: many services refuse a body of unknown length. */
  contentLength: number;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Writes a form with the file last: services that read the body as a stream want the other fields before it. The file is
 * read piece by piece, as fast as the socket takes it. (A FormData given to `fetch` is teed, and so held whole.)
 * @throws ServiceError `file-missing`, `file-empty`
 */
export async function openUpload({ fields, file, onSent }: Upload): Promise<Multipart> {
  const { name, size } = await describeUpload(file);
  const boundary = `parley-${randomUUID()}`;
  const part = (field: string, more: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quote(field)}"${more}\r\n\r\n`;
  const head = Buffer.from(
    fields.map(([field, value]) => `${part(field, '')}${value.replace(/\r?\n/g, '\r\n')}\r\n`).join('') +
      part(file.field, `; filename="${quote(name)}"\r\nContent-Type: ${file.contentType}`),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + size + tail.length,
    bytes: writeForm(head, readPieces(file.path, size, onSent), tail),
  };
}

/**
 * The name of a file as the service is told it, and its size now; both ways to the network send these.
 * @throws ServiceError `file-missing`, `file-empty`
 */
export async function describeUpload(file: Upload['file']): Promise<{ name: string; size: number }> {
  const hint = basename(file.path);
  const stats = await stat(file.path).catch(() => undefined);
  if (stats === undefined) throw new ServiceError('file-missing', { hint });
  if (stats.size === 0) throw new ServiceError('file-empty', { hint });
  return { name: file.name ?? hint, size: stats.size };
}

async function* writeForm(head: Buffer, file: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* file;
  yield tail;
}

/** The bytes of a file; one that is still growing is sent up to the announced size. */
async function* readPieces(path: string, size: number, onSent: Upload['onSent']): AsyncGenerator<Buffer> {
  let sent = 0;
  try {
    for await (const piece of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
      yield piece;
      // The next piece is asked for once the socket took this one.
      sent += piece.length;
      onSent?.(sent, size);
    }
  } catch {
    throw new ServiceError('file-missing', { hint: basename(path) });
  }
}

/** A name in quotes, escaped as browsers do it (HTML standard, multipart/form-data encoding). */
function quote(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

import { ServiceError } from '../../../base/errors.ts';
import type { Container, OnProgress, Packet } from '../container.ts';
import { pieceForms } from '../pieceForms.ts';
import { notAudio } from '../sourceFile.ts';
import { writeEncodedFlac } from './encodedFlac.ts';
import { writeFlac } from './flacPiece.ts';
import { writeMuxed } from './muxedPiece.ts';
import { createPieceFile, type Span, type WritePackets } from './pieceFile.ts';
import { writeMp3, writeWav } from './plainPieces.ts';

const writers: Readonly<Record<Container['form']['extension'], WritePackets>> = {
  wav: writeWav,
  mp3: writeMp3,
  flac: writeFlac,
  m4a: writeMuxed,
  ogg: writeMuxed,
  webm: writeMuxed,
};

/** A piece that is on the disk. */
export interface WrittenPiece {
  path: string;
  /** Size of the file. */
  bytes: number;
  /** MIME type for the upload. */
  contentType: string;
  /** Length of the sound in it, in seconds. */
  duration: number;
}

export interface WriteOptions {
  signal: AbortSignal;
  /** The most bytes that the file may have; no limit where it is left out. */
  mostBytes?: number | undefined;
  onProgress?: OnProgress | undefined;
}

/**
 * Copies the packets of a part of a recording into a file of their own, which has its name when it is whole. The same part of the
 * same recording gives the same bytes.
 * @param path of the file; its folder is made
 * @throws ServiceError `too-large` with `param` `piece` when it has too many bytes: it has to be split again; `not-audio` when the
 * recording is damaged there; `storage`, `file-missing`, `cancelled`. No file is left.
 */
export async function writePiece(
  recording: Container,
  span: Span,
  path: string,
  { signal, mostBytes = Number.POSITIVE_INFINITY, onProgress }: WriteOptions,
): Promise<WrittenPiece> {
  // A span over several parts is that of the first: no file can hold two kinds.
  const container = recording.parts?.findLast(({ start }) => start <= span.from + sameTime) ?? recording;
  const { form, fileName } = container;
  const from = Math.max(span.from, container.start);
  const to = Math.min(span.to, container.end);
  if (signal.aborted) throw new ServiceError('cancelled');
  const file = await createPieceFile(path);
  try {
    const packets = reporting(container.packets(from, to, signal), { from, to }, onProgress);
    const write = form === pieceForms.encodedFlac ? writeEncodedFlac : writers[form.extension];
    await write(file, container, packets, { from, to });
    if ((await file.size()) > mostBytes) throw new ServiceError('too-large', { param: 'piece', hint: fileName });
    return { path, bytes: await file.finish(), contentType: form.contentType, duration: to - from };
  } catch (error) {
    await file.discard();
    // Whatever else a library says of packets that were read: they are damaged.
    throw error instanceof ServiceError ? error : notAudio(fileName);
  }
}

/** Two times that are nearer than this are the same. */
const sameTime = 1e-6;

async function* reporting(
  packets: AsyncIterable<Packet>,
  { from, to }: Span,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Packet> {
  for await (const packet of packets) {
    onProgress?.((packet.time - from) / (to - from));
    yield packet;
  }
}

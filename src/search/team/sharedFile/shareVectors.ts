import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../../base/errors.ts';
import { nextTurn } from '../../../base/nextTurn.ts';
import { chunkerVersion } from '../../chunker/chunker.ts';
import type { Store } from '../../store/store.ts';
import { whenFree } from '../../store/transaction.ts';
import { spaceKey, type TakingProgress, type VectorSource } from '../../types.ts';
import type { VectorRow } from '../../vectors/quantise.ts';
import { openSharedFile, type SharedFile } from './readSharedFile.ts';
import { type SharedFileHeader, sharedFileError } from './sharedLayout.ts';
import { writeSharedFile } from './writeSharedFile.ts';

/** What came of an export. */
export interface ExportResult {
  /** Texts whose vector is in the file. */
  readonly vectors: number;
  /** Texts of the index that have none. */
  readonly without: number;
  readonly bytes: number;
}

/** How a shared file is to be taken. */
export interface ImportRequest {
  readonly path: string;
  /** The model by which the index is searched: the file has to be of it. Absent: the file says which. */
  readonly source?: VectorSource | undefined;
  /** The public key to the one that the file has to be signed with. */
  readonly publicKey?: string | undefined;
  /** The same model of another service is taken as the same. */
  readonly isOfAnyService?: boolean | undefined;
}

/** What came of an import. */
export interface ImportResult {
  /** What the file holds. */
  readonly header: SharedFileHeader;
  readonly signature: SharedFile['signature'];
  /** Texts that got their vector from the file. */
  readonly taken: number;
  /** Texts that had one. */
  readonly known: number;
  /** Texts that have none now. */
  readonly without: number;
}

/**
 * Writes the vectors that the texts of an index have into a shared file.
 * @param signingKeyPath the file of a private Ed25519 key (PEM)
 */
export async function exportVectors(
  store: Store,
  source: VectorSource,
  path: string,
  signal: AbortSignal,
  signingKeyPath?: string,
): Promise<ExportResult> {
  const space = store.knownSpace(spaceKey(source));
  const dimensions = space === undefined ? undefined : store.dimensions(space);
  if (space === undefined || dimensions === undefined) throw sharedFileError('empty');
  const key = signingKeyPath === undefined ? undefined : await readKey(signingKeyPath);
  const { model, documentPrefix, origin } = source;
  const about = { ...{ model, documentPrefix, origin }, ...{ dimensions, chunker: chunkerVersion } };
  const rows = function* (): Iterable<VectorRow> {
    for (const hash of store.hashesWith(space)) {
      const row = store.rowOf(space, hash);
      if (row !== undefined) yield row;
    }
  };
  const { count, bytes } = await writeSharedFile(path, about, rows(), signal, key);
  return { vectors: count, without: store.texts() - count, bytes };
}

/** The most of a key's file that is read, in bytes. */
const mostKey = 64 * 1024;

async function readKey(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || text.length > mostKey) throw sharedFileError('bad-key');
  return text;
}

/**
 * Takes those vectors of a shared file that texts of the index lack. Nothing of a file is taken that is not whole, as it was written, and
 * of the model.
 * @throws ServiceError `shared-file`
 */
export async function importVectors(
  store: () => Store,
  { path, source, publicKey, isOfAnyService }: ImportRequest,
  signal: AbortSignal,
  report: (progress: TakingProgress) => void,
): Promise<ImportResult> {
  const file = await openSharedFile(path, publicKey, signal);
  try {
    const { header, signature } = file;
    if (source !== undefined) checkSource(header, source, isOfAnyService === true);
    const space = await whenFree(() => store().space(spaceKey(header)), signal);
    const length = store().dimensions(space);
    if (length !== undefined && length !== header.dimensions) throw sharedFileError('length');
    const wanted = new Set([...store().hashesWithout(space)].map(nameOf));
    const [all, lacking] = [store().texts(), wanted.size];
    let taken = 0;
    for await (const rows of file.rows((hash) => wanted.has(nameOf(hash)), signal)) {
      await whenFree(() => store().putVectors(space, rows), signal);
      taken += rows.length;
      report({ taken, of: lacking });
      // A search may run in between.
      await nextTurn();
      if (signal.aborted) throw new ServiceError('cancelled');
    }
    return { header, signature, taken, known: all - lacking, without: lacking - taken };
  } finally {
    await file.close();
  }
}

/** Checks that a file is of the model of an index, by the same service. */
function checkSource(header: SharedFileHeader, source: VectorSource, isOfAnyService: boolean): void {
  if (spaceKey(header) !== spaceKey(source)) throw sharedFileError('model', header.model);
  if (isOfAnyService || header.origin === undefined || source.origin === undefined) return;
  if (header.origin !== source.origin) throw sharedFileError('service', header.origin);
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ServiceError } from '../service/errors.ts';
import type { Recording } from './probe.ts';
import { parseTranscript, type Transcript } from './transcript.ts';

/** What tells cheaply whether a file is still the one that was translated. */
export type FileIdentity = Pick<Recording, 'path' | 'size' | 'mtimeMs'>;

/**
 * The saved translations, one JSON file each, kept under the SHA-256 of the recording; and for each path that was
 * translated a small file that leads there. Separate files, so that two windows never overwrite each other's work.
 */
export interface Journal {
  /** Puts a translation on the disk, whole or not at all; when this resolves, it is there. */
  save(transcript: Transcript, file: FileIdentity): Promise<void>;
  get(sha256: string): Promise<Transcript | undefined>;
  /** The translation of a file that has not changed since, told without reading the file. */
  find(file: FileIdentity): Promise<Transcript | undefined>;
  /** Whether `find` would find one; cheap enough to be asked for each file of the explorer. */
  has(file: FileIdentity): Promise<boolean>;
  /** All saved translations, the newest first. */
  list(): Promise<Transcript[]>;
  remove(sha256: string): Promise<void>;
}

/** @param folder is made when the first translation is saved */
export function createJournal(folder: string): Journal {
  const transcriptFile = (sha256: string): string => join(folder, `${sha256}.json`);
  const pointerFile = (path: string): string => join(folder, 'files', `${hashText(path)}.json`);

  async function get(sha256: string): Promise<Transcript | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const json = await readFile(transcriptFile(sha256), 'utf8').catch(() => undefined);
    return json === undefined ? undefined : parseTranscript(json);
  }

  async function readPointer(file: FileIdentity): Promise<string | undefined> {
    const json = await readFile(pointerFile(file.path), 'utf8').catch(() => undefined);
    const pointer = json === undefined ? undefined : parsePointer(json);
    return pointer?.size === file.size && pointer.mtimeMs === file.mtimeMs ? pointer.sha256 : undefined;
  }

  return {
    get,
    async save(transcript, { path, size, mtimeMs }) {
      await writeWhole(transcriptFile(transcript.sha256), JSON.stringify(transcript, undefined, 1));
      await writeWhole(pointerFile(path), JSON.stringify({ path, size, mtimeMs, sha256: transcript.sha256 }));
    },
    async find(file) {
      const sha256 = await readPointer(file);
      return sha256 === undefined ? undefined : get(sha256);
    },
    async has(file) {
      const sha256 = await readPointer(file);
      if (sha256 === undefined) return false;
      const saved = await open(transcriptFile(sha256)).catch(() => undefined);
      await saved?.close();
      return saved !== undefined;
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const all = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => get(basename(name, '.json'))),
      );
      return all
        .filter((transcript) => transcript !== undefined)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    remove: (sha256) => rm(transcriptFile(sha256), { force: true }),
  };
}

interface Pointer {
  size: number;
  mtimeMs: number;
  sha256: string;
}

function parsePointer(json: string): Pointer | undefined {
  try {
    return JSON.parse(json) as Pointer;
  } catch {
    return undefined;
  }
}

/** Writes beside the place, to the disk, and then puts it there: a reader sees the old file or the new one. */
async function writeWhole(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The SHA-256 of a file in hexadecimal, read piece by piece.
 * @throws ServiceError `file-missing` when it cannot be read
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  } catch {
    throw new ServiceError('file-missing', { hint: basename(path) });
  }
  return hash.digest('hex');
}

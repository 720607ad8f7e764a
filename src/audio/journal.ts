import { createHash } from 'node:crypto';
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FileLock, takeFileLock } from '../base/fileLock.ts';
import { writeWhole } from '../base/privateFiles.ts';
import type { FileIdentity } from './recording.ts';
import { isEnglish, parseTranscript, type Transcript } from './transcript.ts';

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
  /** Whether `find` would give a translation into English; cheap enough to be asked for each file of the explorer. */
  hasEnglish(file: FileIdentity): Promise<boolean>;
  /** All saved translations, the newest first. */
  list(): Promise<Transcript[]>;
  remove(sha256: string): Promise<void>;
  /**
   * Takes the lock for translating a recording, which one window at a time holds. Undefined: the signal fired first.
   * @param onWait called now and then while another window translates it
   */
  claim(sha256: string, signal: AbortSignal, onWait: () => void): Promise<FileLock | undefined>;
}

/** Time after which a window sees that another has done its work, in milliseconds. */
const askAgainMs = 250;

/** @param folder is made when the first translation is saved */
export function createJournal(folder: string): Journal {
  const transcriptFile = (sha256: string): string => join(folder, `${sha256}.json`);
  const pointerFile = (path: string): string => join(folder, 'files', `${hashText(path)}.json`);

  async function get(sha256: string): Promise<Transcript | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const json = await readFile(transcriptFile(sha256), 'utf8').catch(() => undefined);
    return json === undefined ? undefined : parseTranscript(json);
  }

  async function readPointer(file: FileIdentity): Promise<Pointer | undefined> {
    const json = await readFile(pointerFile(file.path), 'utf8').catch(() => undefined);
    const pointer = json === undefined ? undefined : parsePointer(json);
    return pointer?.size === file.size && pointer.mtimeMs === file.mtimeMs ? pointer : undefined;
  }

  return {
    get,
    async save(transcript, { path, size, mtimeMs }) {
      await writeWhole(transcriptFile(transcript.sha256), JSON.stringify(transcript, undefined, 1));
      const pointer = { path, size, mtimeMs, sha256: transcript.sha256, english: isEnglish(transcript) };
      await writeWhole(pointerFile(path), JSON.stringify(pointer));
    },
    async find(file) {
      const pointer = await readPointer(file);
      return pointer && get(pointer.sha256);
    },
    async hasEnglish(file) {
      const pointer = await readPointer(file);
      if (pointer === undefined) return false;
      if (pointer.english === true) return access(transcriptFile(pointer.sha256)).then(isThere, isGone);
      // The entry was written by an older version, or the recording was translated better since under another name.
      const saved = await get(pointer.sha256);
      return saved !== undefined && isEnglish(saved);
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
    async claim(sha256, signal, onWait) {
      try {
        return await takeFileLock(join(folder, 'locks', sha256), signal, onWait, askAgainMs);
      } catch {
        // The translation goes on where the disk takes no lock; nothing will be kept on that disk, either.
        return { release: () => {} };
      }
    },
  };
}

const isThere = (): boolean => true;
const isGone = (): boolean => false;

interface Pointer {
  size: number;
  mtimeMs: number;
  sha256: string;
  /** Whether its transcript is English; absent in what older versions wrote. */
  english?: boolean;
}

function parsePointer(json: string): Pointer | undefined {
  try {
    return JSON.parse(json) as Pointer;
  } catch {
    return undefined;
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { access, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FileLock, takeFileLock } from '../../base/fileLock.ts';
import { writeWhole } from '../../base/privateFiles.ts';
import { mapConcurrently } from '../../base/taskQueue.ts';
import type { FileIdentity } from '../recording/recording.ts';
import { createPointers, firstWordsOf, readAtOnce } from './store/pointers.ts';
import { createVersionStore } from './store/versions.ts';
import { isEnglish, parseTranscript, type Transcript } from './transcript.ts';

/**
 * The saved translations, one JSON file each, kept under the SHA-256 of the recording; and for each path that was
 * translated a small file that leads there. Separate files, so that two windows never overwrite each other's work.
 */
export interface Journal {
  /**
   * Puts a translation on the disk, whole or not at all; when this resolves, it is there. Another one of the same recording that was there
   * is kept as a version.
   */
  save(transcript: Transcript, file: FileIdentity): Promise<void>;
  /** Puts a transcript that was edited in the place of the one that is kept. */
  update(transcript: Transcript): Promise<void>;
  get(sha256: string): Promise<Transcript | undefined>;
  /** The translation of a file that has not changed since, told without reading the file. */
  find(file: FileIdentity): Promise<Transcript | undefined>;
  /**
   * The first words of the English text that `find` would give; undefined where it would give none. Cheap enough to be asked for each
   * file of the explorer.
   */
  firstWords(file: FileIdentity): Promise<string | undefined>;
  /** The other translations of a recording, the newest first. */
  versions(sha256: string): Promise<Transcript[]>;
  versionCount(sha256: string): Promise<number>;
  /** Has another translation of a recording in use, and keeps the one that was. Undefined where there is no such. */
  useVersion(sha256: string, createdAt: string): Promise<Transcript | undefined>;
  removeVersion(sha256: string, createdAt: string): Promise<void>;
  /** All saved translations, the newest first. */
  list(): Promise<Transcript[]>;
  /** Deletes a translation, and all else that holds words of it. */
  remove(sha256: string): Promise<void>;
  /**
   * Takes the lock for translating a recording, which one window at a time holds. Undefined: the signal fired first.
   * @param onWait called now and then while another window translates it
   */
  claim(sha256: string, signal: AbortSignal, onWait: () => void): Promise<FileLock | undefined>;
}

/** Time after which a window sees that another has done its work, in milliseconds. */
const askAgainMs = 250;

/**
 * @param folder is made when the first translation is saved
 * @param removeAnswers deletes what else is kept of a recording whose translation is removed: the answers for its pieces
 */
export function createJournal(
  folder: string,
  removeAnswers: (sha256: string) => Promise<void> = async () => {},
): Journal {
  const transcriptFile = (sha256: string): string => join(folder, `${sha256}.json`);
  const pointers = createPointers(join(folder, 'files'));

  const versions = createVersionStore(join(folder, 'versions'));

  async function get(sha256: string): Promise<Transcript | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const json = await readFile(transcriptFile(sha256), 'utf8').catch(() => undefined);
    return json === undefined ? undefined : parseTranscript(json);
  }

  const writeTranscript = (transcript: Transcript): Promise<void> =>
    writeWhole(transcriptFile(transcript.sha256), JSON.stringify(transcript, undefined, 1));

  async function update(transcript: Transcript): Promise<void> {
    await writeTranscript(transcript);
    await pointers.refresh(transcript);
  }

  return {
    get,
    async save(transcript, file) {
      const before = await get(transcript.sha256);
      if (before !== undefined && before.createdAt !== transcript.createdAt) await versions.keep(before);
      await writeTranscript(transcript);
      await pointers.write(transcript, file.path, file);
    },
    update,
    versions: versions.list,
    versionCount: versions.count,
    async useVersion(sha256, createdAt) {
      const [now, chosen] = [await get(sha256), await versions.get(sha256, createdAt)];
      if (now === undefined || chosen === undefined) return undefined;
      // In this order, what ends in between leaves one of them twice, and none not at all.
      if (now.createdAt !== createdAt) await versions.keep(now);
      const used = { ...chosen, path: now.path, fileName: now.fileName };
      await update(used);
      await versions.remove(sha256, createdAt);
      return used;
    },
    removeVersion: versions.remove,
    async find(file) {
      const pointer = await pointers.read(file);
      return pointer && get(pointer.sha256);
    },
    async firstWords(file) {
      const pointer = await pointers.read(file);
      if (pointer === undefined) return undefined;
      const { words } = pointer;
      if (pointer.english === true && words !== undefined)
        return access(transcriptFile(pointer.sha256)).then(
          () => words,
          () => undefined,
        );
      // The entry was written by an older version, or the recording was translated better since under another name.
      const saved = await get(pointer.sha256);
      return saved !== undefined && isEnglish(saved) ? firstWordsOf(saved.text) : undefined;
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const own = names.filter((name) => name.endsWith('.json'));
      const all = await mapConcurrently(own, readAtOnce, (name) => get(basename(name, '.json')));
      return all
        .filter((transcript) => transcript !== undefined)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    async remove(sha256) {
      await rm(transcriptFile(sha256), { force: true });
      await versions.removeAll(sha256);
      await pointers.remove(sha256);
      await removeAnswers(sha256);
    },
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

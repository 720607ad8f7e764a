import { createHash } from 'node:crypto';
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type FileLock, takeFileLock } from '../../base/fileLock.ts';
import { writeWhole } from '../../base/privateFiles.ts';
import { mapConcurrently } from '../../base/taskQueue.ts';
import type { FileIdentity } from '../recording/recording.ts';
import { isEnglish, parseTranscript, type Transcript } from './transcript.ts';

/**
 * The saved translations, one JSON file each, kept under the SHA-256 of the recording; and for each path that was
 * translated a small file that leads there. Separate files, so that two windows never overwrite each other's work.
 */
export interface Journal {
  /** Puts a translation on the disk, whole or not at all; when this resolves, it is there. */
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

/** Files that are read at once: a process may have so many open, and no more. */
const readAtOnce = 16;

/**
 * @param folder is made when the first translation is saved
 * @param removeAnswers deletes what else is kept of a recording whose translation is removed: the answers for its pieces
 */
export function createJournal(
  folder: string,
  removeAnswers: (sha256: string) => Promise<void> = async () => {},
): Journal {
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
    if (pointer?.size !== file.size || pointer.mtimeMs !== file.mtimeMs) return undefined;
    return pointer.change === undefined || pointer.change === file.change ? pointer : undefined;
  }

  /** The first words of a translation stand in the files of all recordings that it was found for. */
  async function removePointers(sha256: string): Promise<void> {
    const files = join(folder, 'files');
    const names = await readdir(files).catch(() => []);
    await mapConcurrently(names, readAtOnce, async (name) => {
      const json = await readFile(join(files, name), 'utf8').catch(() => '');
      if (parsePointer(json)?.sha256 === sha256) await rm(join(files, name), { force: true });
    });
  }

  const writeTranscript = (transcript: Transcript): Promise<void> =>
    writeWhole(transcriptFile(transcript.sha256), JSON.stringify(transcript, undefined, 1));

  async function writePointer(
    transcript: Transcript,
    path: string,
    { size, mtimeMs, change }: Omit<Pointer, 'sha256'>,
  ): Promise<void> {
    const { sha256, text } = transcript;
    const pointer: Pointer = {
      size,
      mtimeMs,
      change,
      sha256,
      english: isEnglish(transcript),
      words: firstWordsOf(text),
    };
    await writeWhole(pointerFile(path), JSON.stringify({ path, ...pointer }));
  }

  return {
    get,
    async save(transcript, file) {
      await writeTranscript(transcript);
      await writePointer(transcript, file.path, file);
    },
    async update(transcript) {
      await writeTranscript(transcript);
      const json = await readFile(pointerFile(transcript.path), 'utf8').catch(() => '');
      const pointer = parsePointer(json);
      if (pointer?.sha256 === transcript.sha256) await writePointer(transcript, transcript.path, pointer);
    },
    async find(file) {
      const pointer = await readPointer(file);
      return pointer && get(pointer.sha256);
    },
    async firstWords(file) {
      const pointer = await readPointer(file);
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
      await removePointers(sha256);
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

/** As many characters as a hover shows in a line or two. */
const mostWords = 140;

function firstWordsOf(text: string): string {
  const start = text
    .slice(0, 4 * mostWords)
    .replace(/\s+/g, ' ')
    .trim();
  if (start.length <= mostWords) return start;
  return `${start.slice(0, mostWords).replace(/\s\S*$/, '')} …`;
}

interface Pointer {
  size: number;
  mtimeMs: number;
  /** As in `Recording`; absent in what older versions wrote. */
  change?: string | undefined;
  sha256: string;
  /** Whether its transcript is English; absent in what older versions wrote. */
  english?: boolean;
  /** How its text begins; absent in what older versions wrote. */
  words?: string;
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

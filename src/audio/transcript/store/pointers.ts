import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../base/privateFiles.ts';
import { mapConcurrently } from '../../../base/taskQueue.ts';
import type { FileIdentity } from '../../recording/recording.ts';
import { isEnglish, type Transcript } from '../transcript.ts';

/** Files that are read at once: a process may have so many open, and no more. */
export const readAtOnce = 16;

/** For each path that was translated a small file that leads to its translation, and tells how that begins. */
export interface Pointers {
  /** Undefined where there is none, or the file is another one by now. */
  read(file: FileIdentity): Promise<Pointer | undefined>;
  write(transcript: Transcript, path: string, file: Omit<Pointer, 'sha256'>): Promise<void>;
  /** Writes the one of a transcript's own path anew, where it leads to it. */
  refresh(transcript: Transcript): Promise<void>;
  /** Deletes all that lead to a translation: its first words stand in the files of all recordings that it was found for. */
  remove(sha256: string): Promise<void>;
}

/** @param files the folder */
export function createPointers(files: string): Pointers {
  const pointerFile = (path: string): string => join(files, `${hashText(path)}.json`);

  async function read(file: FileIdentity): Promise<Pointer | undefined> {
    const json = await readFile(pointerFile(file.path), 'utf8').catch(() => undefined);
    const pointer = json === undefined ? undefined : parsePointer(json);
    if (pointer?.size !== file.size || pointer.mtimeMs !== file.mtimeMs) return undefined;
    return pointer.change === undefined || pointer.change === file.change ? pointer : undefined;
  }

  async function write(
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
    read,
    write,
    async refresh(transcript) {
      const json = await readFile(pointerFile(transcript.path), 'utf8').catch(() => '');
      const pointer = parsePointer(json);
      if (pointer?.sha256 === transcript.sha256) await write(transcript, transcript.path, pointer);
    },
    async remove(sha256) {
      const names = await readdir(files).catch(() => []);
      await mapConcurrently(names, readAtOnce, async (name) => {
        const json = await readFile(join(files, name), 'utf8').catch(() => '');
        if (parsePointer(json)?.sha256 === sha256) await rm(join(files, name), { force: true });
      });
    },
  };
}

/** As many characters as a hover shows in a line or two. */
const mostWords = 140;

/** How a text begins, as a hover shows it. */
export function firstWordsOf(text: string): string {
  const start = text
    .slice(0, 4 * mostWords)
    .replace(/\s+/g, ' ')
    .trim();
  if (start.length <= mostWords) return start;
  return `${start.slice(0, mostWords).replace(/\s\S*$/, '')} …`;
}

/** What a file says of the translation of a recording at a path. */
export interface Pointer {
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

import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeWhole } from '../../../base/privateFiles.ts';
import { parseTranscript, type Transcript } from '../transcript.ts';

/**
 * The other translations of recordings, each whole and with its own edits, in a folder for each recording. The one that is in use is no
 * part of it. A version is named by when it was made (`createdAt`).
 */
export interface VersionStore {
  keep(transcript: Transcript): Promise<void>;
  get(sha256: string, createdAt: string): Promise<Transcript | undefined>;
  /** The newest first. */
  list(sha256: string): Promise<Transcript[]>;
  count(sha256: string): Promise<number>;
  remove(sha256: string, createdAt: string): Promise<void>;
  removeAll(sha256: string): Promise<void>;
}

/** @param folder is made when the first version is kept */
export function createVersionStore(folder: string): VersionStore {
  const folderOf = (sha256: string): string => join(folder, sha256);
  const fileOf = (sha256: string, createdAt: string): string =>
    join(folderOf(sha256), `${createdAt.replace(/[^0-9A-Za-z]/g, '').slice(0, 40)}.json`);

  async function read(path: string): Promise<Transcript | undefined> {
    const json = await readFile(path, 'utf8').catch(() => undefined);
    return json === undefined ? undefined : parseTranscript(json);
  }

  async function names(sha256: string): Promise<string[]> {
    const all = await readdir(folderOf(sha256)).catch((): string[] => []);
    return all.filter((name) => name.endsWith('.json'));
  }

  return {
    keep: (transcript) =>
      writeWhole(fileOf(transcript.sha256, transcript.createdAt), JSON.stringify(transcript, undefined, 1)),
    get: (sha256, createdAt) => read(fileOf(sha256, createdAt)),
    async list(sha256) {
      const all = await Promise.all((await names(sha256)).map((name) => read(join(folderOf(sha256), basename(name)))));
      return all.filter((each) => each !== undefined).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    count: async (sha256) => (await names(sha256)).length,
    remove: (sha256, createdAt) => rm(fileOf(sha256, createdAt), { force: true }),
    removeAll: (sha256) => rm(folderOf(sha256), { recursive: true, force: true }),
  };
}

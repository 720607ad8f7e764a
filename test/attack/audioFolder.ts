/** Recordings and a journal for processes that translate, and what is seen of them from outside. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTranscript } from '../../src/audio/transcript/transcript.ts';
import type { RecordedRequest, ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { integers, samplesOf, turns, wavOf } from '../support/recordings.ts';
import { type CleanUp, openWindow, type Window } from './openWindow.ts';

export interface AudioFolder {
  service: ReferenceService;
  /** Of the journal. */
  journal: string;
  /** Writes recordings of these names, each of other bytes, and gives their paths. */
  record(...names: string[]): string[];
  /** Writes a recording of ten pieces, each of other bytes, and gives its path. @param seed of what is said in it */
  recordLong(name: string, seed: number): string;
  /** Starts a window that translates recordings. */
  open(paths: readonly string[]): Window;
  /** Starts a window that translates a long recording in pieces. */
  openLong(path: string, baseUrl?: string): Window;
  /** The hashes that have a translation on the disk, and the names of files that are none. */
  look(): { stored: Set<string>; damaged: string[] };
}

/** The hash of the recording that a request brought whole. */
export const uploadIn = ({ parts }: RecordedRequest): string | undefined =>
  parts?.find((part) => part.filename !== undefined)?.sha256;

/** The hashes of the recordings that were uploaded, each as often as it was. */
export const uploadsIn = (requests: readonly RecordedRequest[]): string[] =>
  requests.flatMap((request) => uploadIn(request) ?? []);

export const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

export async function audioFolder(t: CleanUp, options: ReferenceServiceOptions = {}): Promise<AudioFolder> {
  const service = await createReferenceService(options);
  const folder = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
  const journal = join(folder, 'translations');
  mkdirSync(join(folder, 'recordings'));
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    service,
    journal,
    record: (...names) =>
      names.map((name) => {
        const path = join(folder, 'recordings', name);
        writeFileSync(path, `fLaC${name}`);
        return path;
      }),
    recordLong(name, seed) {
      const path = join(folder, 'recordings', name);
      writeFileSync(path, wavOf(integers(samplesOf(turns(40, seed), 4_000)), 4_000));
      return path;
    },
    open: (paths) => openWindow(t, 'audioWindow.ts', [journal, service.baseUrl, ...paths]),
    openLong: (path, baseUrl = service.baseUrl) => {
      // The first 64 kB of a request are for what goes beside the sound.
      const mostBytes = 64 * 1024 + Math.ceil(statSync(path).size / 9);
      return openWindow(t, 'pieceWindow.ts', [journal, baseUrl, String(mostBytes), path]);
    },
    look: () => lookAt(journal),
  };
}

function lookAt(journal: string): { stored: Set<string>; damaged: string[] } {
  const names = existsSync(journal) ? readdirSync(journal).filter((name) => name.endsWith('.json')) : [];
  const isWhole = (name: string): boolean => {
    const transcript = parseTranscript(readFileSync(join(journal, name), 'utf8'));
    return transcript !== undefined && `${transcript.sha256}.json` === name && transcript.text !== '';
  };
  const stored = names.filter(isWhole).map((name) => name.slice(0, -'.json'.length));
  return { stored: new Set(stored), damaged: names.filter((name) => !isWhole(name)) };
}

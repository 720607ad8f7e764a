/** Recordings and a journal for processes that translate, and what is seen of them from outside. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseTranscript } from '../../src/audio/transcript.ts';
import type { RecordedRequest, ReferenceService, ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { openWindow, type Window } from './openWindow.ts';

export interface AudioFolder {
  service: ReferenceService;
  /** Of the journal. */
  journal: string;
  /** Writes recordings of these names, each of other bytes, and gives their paths. */
  record(...names: string[]): string[];
  /** Starts a window that translates recordings. */
  open(paths: readonly string[]): Window;
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

export async function audioFolder(t: TestContext, options: ReferenceServiceOptions = {}): Promise<AudioFolder> {
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
    open: (paths) => openWindow(t, 'audioWindow.ts', [journal, service.baseUrl, ...paths]),
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

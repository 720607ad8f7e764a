import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../base/errors.ts';
import { isInside, relativePath } from '../../base/paths.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { Query, SearchAnswer } from '../query/query.ts';
import type { StoredChunk } from '../store/files/chunkReader.ts';
import type { TeamIndex } from '../team/teamIndex.ts';
import type { IndexProgress, Place } from '../types.ts';
import { type AskedFolder, askedFolders, isTooWide, moved, realOf } from './askedFolders.ts';
import type { IndexRecord } from './indexRecord.ts';
import { openIndexRegistry } from './indexRegistry.ts';
import { createSharedReading } from './sharedReading.ts';
import { type AskedWindow, createWindowModel } from './windowModel.ts';
import { windowsOf } from './windows.ts';

/** An answer, with what became of the question. */
export interface OutsideAnswer extends SearchAnswer {
  /** Absent where no window was asked. */
  asked?: AskedWindow;
}

/** The index of some folders, as another program than the editor uses it. Nothing of the files is ever sent from here. */
export interface FolderIndex {
  readonly engine: Engine;
  readonly record: IndexRecord;
  /** Absolute paths of the folders that were asked for, as the index has them; none lies in another one. */
  readonly folders: readonly string[];
  /**
   * Reads the files where that was never done; later, in the background, what has changed since.
   * @param question where a team's index finds files for it, these alone are read before it is answered, and the others behind it
   */
  prepare(signal: AbortSignal, report: (progress: IndexProgress) => void, question?: string): Promise<void>;
  /** Whether an editor has made another index of the folders since, or has chosen another model: then this one is of the past. */
  isOutdated(): Promise<boolean>;
  /** Reads what has changed, before anything is answered. @throws ServiceError `storage` where the index cannot be written */
  readFiles(signal: AbortSignal, report: (progress: IndexProgress) => void): Promise<void>;
  /**
   * Answers a question; files among the hits that have changed are read again first.
   * @param given asked for the vector of the question in place of a window; `words`: nobody is asked
   */
  search(query: Query, signal: AbortSignal, given?: EmbeddingModel | 'words'): Promise<OutsideAnswer>;
  /** The chunks that declare this very name, in files that these globs let through; files that have changed are read again first. */
  definitions(name: string, globs: readonly string[], signal: AbortSignal): Promise<StoredChunk[]>;
  /** Takes in those of these files that have changed. @returns whether there were any */
  refresh(files: readonly Pick<Place, 'root' | 'path'>[], signal: AbortSignal): Promise<boolean>;
  /** The root of the index that a path is in, and the path within it. @returns undefined outside of the folders */
  place(path: string): Pick<Place, 'root' | 'path'> | undefined;
  /** Whether the files are being looked at, behind the answers. */
  readonly isReading: boolean;
  /** Whether a window has this index open: it keeps it current, and can ask for the vector of a question. */
  isOpenInWindow(): Promise<boolean>;
  close(): Promise<void>;
}

/** How long what was read counts as current where no window watches the files, in milliseconds. */
const readAgainMs = 10_000;

/** How old the time of the last use may be in the record, in milliseconds. */
const recordAgainMs = 3_600_000;

/** The rules for an index that no editor has made: those of the editor's settings when they are untouched. */
export const ownScope = {
  maxBytes: 1024 * 1024,
  exclude: [],
  allow: [],
  includeGenerated: false,
  encodings: {},
} as const;

/**
 * The index of these folders: that of an editor, if one has made any, otherwise one of their own.
 * @param data the data folder of this user
 * @param asked absolute paths; a path that leads to no folder is left out
 * @param team asked for what has no vector in the index, and closed with it
 * @throws ServiceError with the path as its hint: `file-missing` where none of them is a folder, and `invalid-request` of the param `folder` where
 * there is no index, and one would read all of a home folder or a disk
 */
export async function openFolderIndex(data: string, asked: readonly string[], team?: TeamIndex): Promise<FolderIndex> {
  const { folders, missing } = await askedFolders(asked);
  if (folders.length === 0) throw new ServiceError('file-missing', { hint: missing[0] });
  const registry = openIndexRegistry(data);
  const paths = folders.map(({ real }) => real);
  const known = await registry.find(paths);
  for (const hint of known === undefined ? paths : []) {
    if (await isTooWide(hint)) throw new ServiceError('invalid-request', { param: 'folder', hint });
  }
  const record: IndexRecord = known ?? {
    version: 1,
    directory: registry.ownDirectory(paths),
    scope: { ...ownScope, roots: paths },
    madeBy: 'command',
    usedAt: Date.now(),
  };
  const roots = await Promise.all(record.scope.roots.map(async (root) => ({ root, real: await realOf(root) })));
  // An index that is only asked is in use, too. One that cannot be written is asked all the same.
  if (known !== undefined && Date.now() - known.usedAt > recordAgainMs) {
    await registry.write({ ...known, usedAt: Date.now() }).catch(() => undefined);
  }
  return createFolderIndex(data, record, folders.map(inIndex), {
    team,
    // An index without a record is found by its folders again.
    made: async () => {
      if (known === undefined) await registry.write({ ...record, usedAt: Date.now() }).catch(() => undefined);
    },
    isOutdated: async () => {
      const now = await registry.find(paths);
      if (now === undefined) return known !== undefined;
      return now.directory !== record.directory || !isDeepStrictEqual(now.source, record.source);
    },
  });

  /** A folder in the words of the index, whose root may have been opened by a link. */
  function inIndex({ given, real }: AskedFolder): NamedFolder {
    const inside = roots.filter((each) => isInside(each.real, real)).sort((a, b) => b.real.length - a.real.length)[0];
    const path = inside === undefined ? real : (moved(real, inside.real, inside.root) ?? real);
    return { path, names: [path, real, given] };
  }
}

/** A folder as the index has it, and the other ways to it. */
interface NamedFolder {
  readonly path: string;
  readonly names: readonly string[];
}

function createFolderIndex(
  data: string,
  record: IndexRecord,
  named: readonly NamedFolder[],
  { team, made, isOutdated }: { team: TeamIndex | undefined; made(): Promise<void>; isOutdated(): Promise<boolean> },
): FolderIndex {
  const { directory, cachePath, scope } = record;
  const engine = createEngine(directory, cachePath, team);
  const folders = named.map(({ path }) => path);
  const roots = scope.roots.filter((root) =>
    folders.some((folder) => isInside(root, folder) || isInside(folder, root)),
  );
  const windowModel = createWindowModel(data, record);
  let readAt = 0;
  let isMade = false;
  /** Whether the files of a question were read before the others. */
  let isReadAhead = false;

  const reading = createSharedReading(async (signal, report) => {
    try {
      const present = scope.roots.filter((root) => existsSync(root));
      // The files of a root that is not there now, such as that of a disk that is not mounted, stay in the index: they are not ours.
      if (present.length === scope.roots.length) await engine.index(scope, undefined, signal, report);
      else if (present.length > 0) await engine.update(scope, present, undefined, signal, report);
      await made();
    } finally {
      readAt = Date.now();
    }
  });

  const isOpenInWindow = async (): Promise<boolean> => (await windowsOf(data, directory)).length > 0;

  /** What answers a question by meaning; undefined where words do alone. */
  async function modelFor(
    query: Query,
    given: EmbeddingModel | 'words' | undefined,
    onAsked: (asked: AskedWindow) => void,
  ): Promise<EmbeddingModel | undefined> {
    if (given === 'words') return undefined;
    if (given !== undefined) return given;
    // Code that is in the index has a vector there: no window is needed for what is like it.
    return query.similarTo === undefined && !(await isOpenInWindow()) ? undefined : windowModel(onAsked);
  }

  async function refresh(files: readonly Pick<Place, 'root' | 'path'>[], signal: AbortSignal): Promise<boolean> {
    const stale = await engine.staleFiles(files.filter(({ root }) => existsSync(root)));
    if (stale.length === 0) return false;
    await engine.update(scope, stale, undefined, signal, () => undefined);
    return true;
  }

  return {
    engine,
    record,
    folders,
    get isReading() {
      return reading.isRunning;
    },
    isOpenInWindow,
    isOutdated,
    refresh,
    readFiles: reading.wait,
    async prepare(signal, report, question) {
      if (!folders.some((folder) => existsSync(folder))) throw new ServiceError('file-missing', { hint: folders[0] });
      if (isReadAhead && reading.isRunning) return reading.wait(signal, report);
      isMade ||= !reading.isAwaited && (engine.peek()?.files ?? 0) > 0;
      if (isMade) {
        // An index that is there answers at once; what has changed since is read behind the first answer.
        if (Date.now() - readAt > readAgainMs && !(await isOpenInWindow())) reading.begin();
        return;
      }
      isReadAhead = question !== undefined && !reading.isRunning && (await engine.readAhead(scope, question, signal));
      if (isReadAhead) return reading.begin();
      await reading.wait(signal, report);
    },
    async definitions(name, globs, signal) {
      const filters = { globs, within: folders };
      const found = await engine.definitions(roots, name, filters, signal);
      const isChanged = await refresh(found, signal).catch(() => false);
      return isChanged ? engine.definitions(roots, name, filters, signal) : found;
    },
    async search(query, signal, given) {
      let asked: AskedWindow | undefined;
      const by = await modelFor(query, given, (answer) => {
        asked = answer;
      });
      const full: Query = { ...query, within: folders };
      const answer = await engine.search(roots, full, by, signal);
      const isChanged = await refresh(answer.hits, signal).catch(() => false);
      const final = isChanged ? await engine.search(roots, full, by, signal) : answer;
      return { ...final, ...(asked === undefined ? {} : { asked }) };
    },
    place: (path) => placeIn(path, named, scope.roots),
    async close() {
      await reading.stop();
      engine.close();
    },
  };
}

/** The root of the index that a path is in, by whichever way to one of the folders, and the path within it. */
function placeIn(
  path: string,
  named: readonly NamedFolder[],
  roots: readonly string[],
): Pick<Place, 'root' | 'path'> | undefined {
  const inside = named.flatMap(({ path: to, names }) => names.flatMap((from) => moved(path, from, to) ?? []))[0];
  if (inside === undefined) return undefined;
  // The innermost root: a file of a root inside another one is that one's alone.
  const root = roots.filter((each) => isInside(each, inside)).sort((a, b) => b.length - a.length)[0];
  const within = root === undefined ? undefined : relativePath(root, inside);
  return root === undefined || within === undefined ? undefined : { root, path: within };
}

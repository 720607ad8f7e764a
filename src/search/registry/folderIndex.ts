import { existsSync } from 'node:fs';
import { isInside, relativePath } from '../../base/paths.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import type { Embed, EmbeddingModel } from '../embedding/embeddingModel.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { Query, SearchAnswer } from '../query/query.ts';
import { type IndexProgress, type Place, spaceKey } from '../types.ts';
import type { IndexRecord } from './indexRecord.ts';
import { openIndexRegistry } from './indexRegistry.ts';
import { askWindows, windowsOf } from './windows.ts';

/** An answer, with what became of the question. */
export interface OutsideAnswer extends SearchAnswer {
  /** The origin of the service to which the question was sent; absent where nothing was. */
  sentTo?: string;
}

/** The index of some folders, as another program than the editor uses it. Nothing of the files is ever sent from here. */
export interface FolderIndex {
  readonly engine: Engine;
  readonly record: IndexRecord;
  /** Absolute paths of the folders that were asked for. */
  readonly folders: readonly string[];
  /** Reads the files where that was never done; later, in the background, what has changed since. */
  prepare(signal: AbortSignal, report: (progress: IndexProgress) => void): Promise<void>;
  /** Reads what has changed, before anything is answered. @throws ServiceError `storage` where the index cannot be written */
  readFiles(signal: AbortSignal, report: (progress: IndexProgress) => void): Promise<void>;
  /**
   * Answers a question; files among the hits that have changed are read again first.
   * @param by asked for the vector of the question in place of a window; `words`: nobody is asked
   */
  search(query: Query, signal: AbortSignal, by?: EmbeddingModel | 'words'): Promise<OutsideAnswer>;
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
 * @param folders absolute paths
 */
export async function openFolderIndex(data: string, folders: readonly string[]): Promise<FolderIndex> {
  const registry = openIndexRegistry(data);
  const known = await registry.find(folders);
  const record: IndexRecord = known ?? {
    version: 1,
    directory: registry.ownDirectory(folders),
    scope: { ...ownScope, roots: outermost(folders) },
    usedAt: Date.now(),
  };
  // An index that is only asked is in use, too. One that cannot be written is asked all the same.
  if (known !== undefined && Date.now() - known.usedAt > recordAgainMs) {
    await registry.write({ ...known, usedAt: Date.now() }).catch(() => undefined);
  }
  return createFolderIndex(data, record, folders, async () => {
    if (known === undefined) await registry.write({ ...record, usedAt: Date.now() });
  });
}

function createFolderIndex(
  data: string,
  record: IndexRecord,
  folders: readonly string[],
  onMade: () => Promise<void>,
): FolderIndex {
  const { directory, cachePath, source } = record;
  const scope: Scope = { ...record.scope, roots: record.scope.roots.filter((root) => existsSync(root)) };
  const engine = createEngine(directory, cachePath);
  const roots = scope.roots.filter((root) =>
    folders.some((folder) => isInside(root, folder) || isInside(folder, root)),
  );
  const ended = new AbortController();
  let reading: Promise<void> | undefined;
  let isReading = false;
  let readAt = 0;

  async function readFiles(signal: AbortSignal, report: (progress: IndexProgress) => void): Promise<void> {
    await engine.index(scope, undefined, AbortSignal.any([signal, ended.signal]), report);
    readAt = Date.now();
    await onMade();
  }

  /** A disk that cannot be written leaves the index as it is, which every answer tells by its age. */
  function readBehind(): void {
    isReading = true;
    reading = readFiles(ended.signal, () => undefined)
      .catch(() => undefined)
      .finally(() => {
        isReading = false;
        readAt = Date.now();
      });
  }

  const isOpenInWindow = async (): Promise<boolean> => (await windowsOf(data, directory)).length > 0;

  async function modelNow(by: EmbeddingModel | 'words' | undefined, onSent: () => void) {
    if (by === 'words') return undefined;
    if (by !== undefined) return { ...by, embed: embedAndTell(by.embed, onSent) };
    return source !== undefined && (await isOpenInWindow())
      ? askedOfWindows(data, directory, source, onSent)
      : undefined;
  }

  async function refresh(files: readonly Pick<Place, 'root' | 'path'>[], signal: AbortSignal): Promise<boolean> {
    const stale = await engine.staleFiles(files);
    if (stale.length === 0) return false;
    await engine.update(scope, stale, undefined, signal, () => undefined);
    return true;
  }

  return {
    engine,
    record,
    folders,
    get isReading() {
      return isReading;
    },
    isOpenInWindow,
    refresh,
    readFiles,
    async prepare(signal, report) {
      if (engine.peek()?.files) {
        // An index that is there answers at once; what has changed since is read behind the first answer.
        if (!isReading && Date.now() - readAt > readAgainMs && !(await isOpenInWindow())) readBehind();
        return;
      }
      await readFiles(signal, report);
    },
    async search(query, signal, by) {
      let isSent = false;
      const model = await modelNow(by, () => {
        isSent = true;
      });
      // A test that every file passes costs time for nothing.
      const isAll = roots.every((root) => folders.some((folder) => isInside(folder, root)));
      const asked: Query = isAll ? query : { ...query, within: folders };
      const answer = await engine.search(roots, asked, model, signal);
      const isChanged = await refresh(answer.hits, signal).catch(() => false);
      const final = isChanged ? await engine.search(roots, asked, model, signal) : answer;
      return { ...final, ...(isSent && model?.origin !== undefined ? { sentTo: model.origin } : {}) };
    },
    place(path) {
      if (!folders.some((folder) => isInside(folder, path))) return undefined;
      // The innermost root: a file of a root inside another one is that one's alone.
      const root = scope.roots.filter((each) => isInside(each, path)).sort((a, b) => b.length - a.length)[0];
      const within = root === undefined ? undefined : relativePath(root, path);
      return root === undefined || within === undefined ? undefined : { root, path: within };
    },
    async close() {
      ended.abort();
      await reading;
      engine.close();
    },
  };
}

/** A model whose vectors come from a window. @param onSent called when one came */
function askedOfWindows(
  data: string,
  directory: string,
  source: NonNullable<IndexRecord['source']>,
  onSent: () => void,
): EmbeddingModel {
  return {
    ...source,
    embed: async ([text = ''], signal) => {
      const vector = await askWindows(data, directory, text, spaceKey(source), signal);
      onSent();
      return [vector];
    },
  };
}

/** Tells of each request before it goes: what fails may have been sent. */
function embedAndTell(embed: Embed, onSent: () => void): Embed {
  return (texts, signal) => {
    onSent();
    return embed(texts, signal);
  };
}

/** Folders without those that lie in another one of them. */
export function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter(
    (folder) => !folders.some((other) => other !== folder && isInside(other, folder)),
  );
}

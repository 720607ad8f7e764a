import { ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { isInside, relativePath } from '../../base/paths.ts';
import { rulesVersion } from '../../workspace/exclusions.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import { listOwnFiles } from '../../workspace/fileList.ts';
import { generatedPaths } from '../../workspace/git/gitAttributes.ts';
import { chunkerVersion, namesVersion } from '../chunker/chunker.ts';
import type { FileChange } from '../store/files/fileWriter.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { IndexProgress } from '../types.ts';
import { createExaminer, createExaminerProcesses, type HasVector } from './examiner.ts';
import { nearFirst } from './nearFirst.ts';

/** Number of new files that is worth a separate process. */
const manyNew = 200;
/** Limits of one transaction: files, characters, and milliseconds of collecting. */
const batch = { files: 50, characters: 1_000_000, ms: 100 } as const;
const reportEveryMs = 100;

/** Updates the file tables from all folders: new, changed and deleted files. Sends nothing. */
export async function scanAll(
  store: Store,
  scope: Scope,
  signal: AbortSignal,
  report: (progress: IndexProgress) => void,
  hasVector?: HasVector,
): Promise<void> {
  report({ phase: 'reading', files: 0, ofFiles: 0 });
  const lists = await Promise.all(scope.roots.map((root) => listOwnFiles(scope.roots, root, signal)));
  const ofFiles = lists.reduce((sum, list) => sum + list.length, 0);
  let files = 0;
  let reported = performance.now();
  const count = (): void => {
    files++;
    if (files < ofFiles && performance.now() - reported < reportEveryMs) return;
    reported = performance.now();
    report({ phase: 'reading', files, ofFiles });
  };
  const near = (root: string): readonly string[] => (scope.near ?? []).filter((file) => isInside(root, file));
  const inOrder = scope.roots
    .map((root, index) => ({ root, list: lists[index] ?? [] }))
    .sort((a, b) => Number(near(b.root).length > 0) - Number(near(a.root).length > 0));
  for (const { root, list } of inOrder) {
    const { present } = await takeInAll(store, scope, root, list, signal, hasVector, { count });
    const gone = store.pathsOf(root).filter((path) => !present.has(path));
    await removeAll(store, root, gone, signal);
  }
  for (const root of store.roots()) {
    if (!scope.roots.includes(root)) await removeAll(store, root, store.pathsOf(root), signal);
  }
  await keepVersions(store, scope, signal);
}

/**
 * Updates some files, by the same filter. A path that is or was a folder stands for all files in it, and a root for all
 * its files. Returns the ids of the files whose text is new; so a save does not resume a cancelled run.
 */
export async function scanSome(
  store: Store,
  scope: Scope,
  files: readonly string[],
  signal: AbortSignal,
  hasVector?: HasVector,
): Promise<number[]> {
  const ids: number[] = [];
  for (const root of scope.roots) {
    const asked = files.map((file) => relativePath(root, file)).filter((path) => path !== undefined);
    if (asked.length === 0) continue;
    const isWhole = asked.includes('');
    const list = await listOwnFiles(scope.roots, root, signal, isWhole ? undefined : asked);
    const { present, news } = await takeInAll(store, scope, root, list, signal, hasVector, { isChanged: !isWhole });
    ids.push(...news.map((path) => store.fileId(root, path)).filter((id) => id !== undefined));
    const before = isWhole ? store.pathsOf(root) : new Set(asked.flatMap((path) => store.pathsAt(root, path)));
    const gone = [...before].filter((path) => !present.has(path));
    await removeAll(store, root, gone, signal);
  }
  if (scope.roots.every((root) => files.includes(root))) await keepVersions(store, scope, signal);
  return ids;
}

/** When every file of the index was looked at last, in milliseconds since the epoch; undefined where that never came to its end. */
export function scannedAt(store: Pick<Store, 'meta'>): number | undefined {
  const text = store.meta('scanned');
  return text === undefined ? undefined : Number(text);
}

/** Records that every file of the index was examined by the current rules. */
async function keepVersions(store: Store, scope: Scope, signal: AbortSignal): Promise<void> {
  const versions = { rules: rulesOf(scope), chunker: String(chunkerVersion), names: String(namesVersion) };
  const now = { ...versions, scanned: String(Date.now()) };
  for (const [name, value] of Object.entries(now)) {
    if (store.meta(name) !== value) await whenFree(() => store.setMeta(name, value), signal);
  }
}

/** Removes files in steps, between which questions are answered. */
async function removeAll(store: Store, root: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < paths.length; at += batch.files) {
    await whenFree(() => store.removeFiles(root, paths.slice(at, at + batch.files)), signal);
    await nextTurn();
  }
}

/** The settings that decide on a file's text besides the text itself. When they change, every file is read again. */
function rulesOf({ allow = [], includeGenerated = false, encodings = {} }: Scope): string {
  return JSON.stringify([rulesVersion, allow, includeGenerated, encodings]);
}

/** Examines and stores files, some at once; returns the ids of those that exist and of those whose text changed. */
async function takeInAll(
  store: Store,
  scope: Scope,
  root: string,
  list: readonly string[],
  signal: AbortSignal,
  hasVector: HasVector | undefined,
  { isChanged = false, count = () => undefined }: { isChanged?: boolean; count?: () => void } = {},
): Promise<{ present: Set<string>; news: string[] }> {
  const generated = scope.includeGenerated ? new Map() : await generatedPaths(root, list, signal);
  const present = new Set<string>();
  const news: string[] = [];
  const pending = createBatch((changes) => whenFree(() => store.putFiles(root, changes), signal));
  // Decisions of another version of the rules or the chunker are made again.
  const sameChunker = store.meta('chunker') === String(chunkerVersion);
  // Names of another version are read again, from the files: their chunks and vectors stay.
  const sameNames = store.meta('names') === String(namesVersion);
  const trusted = sameChunker && sameNames && store.meta('rules') === rulesOf(scope);
  const isMany = list.length >= manyNew && (isChanged || list.length - store.pathsOf(root).length >= manyNew);
  const create = isMany ? createExaminerProcesses : createExaminer;
  const hasChunk = (path: string, hash: Uint8Array): boolean => store.hasChunk(root, path, hash);
  const data = { root, scope, generated, trusted, sameChunker, sameNames };
  const examiner = create(data, hasVector, sameNames ? undefined : hasChunk);

  async function takeIn(path: string): Promise<void> {
    const known = store.known(root, path);
    const change = await examiner.examine(path, known);
    count();
    if (change === 'missing') return;
    present.add(path);
    if (change === 'unchanged') return;
    if (typeof change.content === 'object' && !(sameChunker && change.content.hash === known?.hash)) news.push(path);
    await pending.add(change);
  }

  const near = (scope.near ?? []).map((file) => relativePath(root, file)).filter((path) => path !== undefined);
  const ordered = nearFirst(list, near);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let path = ordered[next++]; path !== undefined; path = ordered[next++]) {
      if (signal.aborted) throw new ServiceError('cancelled');
      await takeIn(path);
    }
  };
  await Promise.all(Array.from({ length: examiner.lanes }, lane)).finally(() => {
    next = list.length;
    return examiner.close();
  });
  await pending.flush();
  return { present, news };
}

/** Collects changes, so that one transaction stores many. */
function createBatch(put: (changes: readonly FileChange[]) => Promise<void>): {
  add(change: FileChange): Promise<void>;
  flush(): Promise<void>;
} {
  let changes: FileChange[] = [];
  let characters = 0;
  let since = 0;
  let last: Promise<void> = Promise.resolve();
  function flush(): Promise<void> {
    last = last.then(async () => {
      const full = changes;
      changes = [];
      characters = 0;
      // What was cut in this turn is written in the next: a question comes in between.
      await nextTurn();
      if (full.length > 0) await put(full);
      // The examiner returns many files at once: a question is answered between two transactions.
      await nextTurn();
    });
    return last;
  }
  return {
    async add(change) {
      if (changes.length === 0) since = performance.now();
      changes.push(change);
      if (typeof change.content === 'object') characters += change.stamp.size;
      const isFull = changes.length >= batch.files || characters >= batch.characters;
      if (isFull || performance.now() - since >= batch.ms) await flush();
    },
    flush,
  };
}

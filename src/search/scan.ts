import { ServiceError } from '../service/errors.ts';
import { generatedPaths } from './attributes.ts';
import { chunkerVersion } from './chunks.ts';
import { createExaminer, createExaminerThread, type IsPaid } from './examiner.ts';
import { rulesVersion } from './exclusions.ts';
import type { FileChange } from './fileRows.ts';
import { listFiles } from './files.ts';
import { relativePath } from './paths.ts';
import type { IndexProgress, Scope } from './protocol.ts';
import type { Store } from './store.ts';

/** So many files that are not in the index yet are worth a thread of their own. */
const manyNew = 200;
/** What one transaction takes: this many files or characters, or what came in this time. */
const batch = { files: 50, characters: 1_000_000, ms: 100 } as const;
const reportEveryMs = 100;

/** Brings the files of the index up to date with all folders: what is new, changed, or gone. Sends nothing. */
export async function scanAll(
  store: Store,
  scope: Scope,
  signal: AbortSignal,
  report: (progress: IndexProgress) => void,
  isPaid?: IsPaid,
): Promise<void> {
  report({ phase: 'reading', files: 0, ofFiles: 0 });
  const lists = await Promise.all(scope.roots.map((root) => listFiles(root, signal)));
  const ofFiles = lists.reduce((sum, list) => sum + list.length, 0);
  let files = 0;
  let reported = performance.now();
  const count = (): void => {
    files++;
    if (files < ofFiles && performance.now() - reported < reportEveryMs) return;
    reported = performance.now();
    report({ phase: 'reading', files, ofFiles });
  };
  for (const [index, root] of scope.roots.entries()) {
    const list = lists[index] ?? [];
    const { present } = await takeInAll(store, scope, root, list, signal, isPaid, count);
    store.removeFiles(
      root,
      store.pathsOf(root).filter((path) => !present.has(path)),
    );
  }
  store.keepRoots(scope.roots);
  keepVersions(store, scope);
}

/**
 * The same for some files, by the same filter. A path that is a folder, or was one, stands for all that is in it; a root
 * for all its files. Gives the ids of the files whose text is new: a run that was cancelled is not taken up again by a save.
 */
export async function scanSome(
  store: Store,
  scope: Scope,
  files: readonly string[],
  signal: AbortSignal,
  isPaid?: IsPaid,
): Promise<number[]> {
  const ids: number[] = [];
  for (const root of scope.roots) {
    const asked = files.map((file) => relativePath(root, file)).filter((path) => path !== undefined);
    if (asked.length === 0) continue;
    const isWhole = asked.includes('');
    const list = await listFiles(root, signal, isWhole ? undefined : asked);
    const { present, news } = await takeInAll(store, scope, root, list, signal, isPaid);
    ids.push(...news.map((path) => store.fileId(root, path)).filter((id) => id !== undefined));
    const before = isWhole ? store.pathsOf(root) : new Set(asked.flatMap((path) => store.pathsAt(root, path)));
    store.removeFiles(
      root,
      [...before].filter((path) => !present.has(path)),
    );
  }
  if (scope.roots.every((root) => files.includes(root))) keepVersions(store, scope);
  return ids;
}

/** Says that every file of the index was looked at by the rules as they are now. */
function keepVersions(store: Store, scope: Scope): void {
  store.setMeta('rules', rulesOf(scope));
  store.setMeta('chunker', String(chunkerVersion));
}

/** What decides of a file's text besides the text itself. When it changes, every file is read again. */
function rulesOf({ allow = [], includeGenerated = false }: Scope): string {
  return JSON.stringify([rulesVersion, allow, includeGenerated]);
}

/** Takes in files, some at once; gives those that are there, and those whose text is other than before. */
async function takeInAll(
  store: Store,
  scope: Scope,
  root: string,
  list: readonly string[],
  signal: AbortSignal,
  isPaid: IsPaid | undefined,
  count: () => void = () => undefined,
): Promise<{ present: Set<string>; news: string[] }> {
  const generated = scope.includeGenerated ? new Map() : await generatedPaths(root, list, signal);
  const present = new Set<string>();
  const news: string[] = [];
  const pending = createBatch((changes) => store.putFiles(root, changes));
  // What another version of the rules or the chunker decided is decided again.
  const sameChunker = store.meta('chunker') === String(chunkerVersion);
  const trusted = sameChunker && store.meta('rules') === rulesOf(scope);
  const isMany = list.length >= manyNew && list.length - store.pathsOf(root).length >= manyNew;
  const create = isMany ? createExaminerThread : createExaminer;
  const examiner = create({ root, scope, generated, trusted, sameChunker }, isPaid);

  async function takeIn(path: string): Promise<void> {
    const change = await examiner.examine(path, store.known(root, path));
    count();
    if (change === 'missing') return;
    present.add(path);
    if (change === 'unchanged') return;
    if (typeof change.content === 'object') news.push(path);
    pending.add(change);
  }

  let next = 0;
  const lane = async (): Promise<void> => {
    for (let path = list[next++]; path !== undefined; path = list[next++]) {
      if (signal.aborted) throw new ServiceError('cancelled');
      await takeIn(path);
    }
  };
  await Promise.all(Array.from({ length: examiner.lanes }, lane)).finally(() => {
    next = list.length;
    return examiner.close();
  });
  pending.flush();
  return { present, news };
}

/** Collects changes, so that one transaction takes many. */
function createBatch(put: (changes: readonly FileChange[]) => void): { add(change: FileChange): void; flush(): void } {
  let changes: FileChange[] = [];
  let characters = 0;
  let since = 0;
  function flush(): void {
    const full = changes;
    changes = [];
    characters = 0;
    if (full.length > 0) put(full);
  }
  return {
    add(change) {
      if (changes.length === 0) since = performance.now();
      changes.push(change);
      if (typeof change.content === 'object') characters += change.stamp.size;
      const isFull = changes.length >= batch.files || characters >= batch.characters;
      if (isFull || performance.now() - since >= batch.ms) flush();
    },
    flush,
  };
}

import { isAbsolute, relative, sep } from 'node:path';
import { type Disposable, type Uri, workspace } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { onEncodingChange } from '../../../editor/files/readEncodingRules.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { onSettingChange, readSetting } from '../../../editor/settings.ts';
import { findObstacle, roots } from '../../../workspace/ui/folders.ts';
import type { EmbeddingModel } from '../../embedding/embeddingModel.ts';
import type { IndexResult, Status } from '../../engine/engineApi.ts';
import type { IndexPhase } from '../shared/state.ts';
import { indexScope } from './indexScope.ts';
import type { SearchIndex } from './searchIndex.ts';
import type { AllowedForFiles } from './sending/allowedModels.ts';

/** The most files that are kept for another try; beyond them *Index Workspace* finds what is missing. */
const mostFailed = 1_000;
/** Debounce after a save, for others that come with it. */
const pauseMs = 100;
/** Debounce of mass changes, a checkout for one: more changes than this become one update after their end. */
const storm = { files: 20, pauseMs: 400 } as const;
/** Files that decide which other files belong to the index. */
const ruleFile = /(^|[\\/])(\.gitignore|\.parleyignore|\.gitattributes|\.git[\\/]info[\\/](exclude|attributes))$/;
/** Settings that decide which files belong to the index. */
const ruleSettings = [
  'parley.search.exclude',
  'parley.search.allowPaths',
  'parley.search.includeGenerated',
  'parley.search.maxFileSize',
] as const;

/**
 * Keeps the index up to date: saves always, other changes on disk (deletes, renames, a checkout) once the search is in use;
 * what changed before that is found when the search first reads the files. The keyword half needs no service; what changed
 * is sent only where the user agreed. An event costs one look at the disk, after the pause, whether there is an index.
 */
export function watchFiles({ log }: Services, index: SearchIndex): Disposable {
  const owned = new Disposables();
  const changed = new Set<string>();
  const updates = createUpdates(log, index);
  let timer: NodeJS.Timeout | undefined;
  let watching = false;
  let updating = false;

  function take(uri: Uri): void {
    if (uri.scheme !== 'file') return;
    if (/[\\/](\.git|node_modules)[\\/]/.test(uri.fsPath) && !ruleFile.test(uri.fsPath)) return;
    if (!readSetting('parley.search.updateOnSave')) return;
    changed.add(uri.fsPath);
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), changed.size > storm.files ? storm.pauseMs : pauseMs);
  }

  /** Runs one update at a time; changes made meanwhile are debounced into the next one. */
  async function update(): Promise<void> {
    if (updating) return;
    updating = true;
    try {
      while (changed.size > 0) {
        const files = [...changed];
        changed.clear();
        await updates(files);
      }
    } finally {
      updating = false;
    }
  }

  function watch(): void {
    if (watching || index.status === undefined) return;
    watching = true;
    const watcher = owned.add(workspace.createFileSystemWatcher('**/*'));
    owned.add(watcher.onDidCreate(take));
    owned.add(watcher.onDidChange(take));
    owned.add(watcher.onDidDelete(take));
  }

  owned.add(workspace.onDidSaveTextDocument(({ uri }) => take(uri)));
  owned.add(index.onDidChange(watch));
  const takeAll = (): void => {
    for (const root of roots()) changed.add(root);
    schedule();
  };
  owned.add(onSettingChange(ruleSettings, takeAll));
  owned.add(onEncodingChange(takeAll));
  owned.add({ dispose: () => clearTimeout(timer) });
  return owned;
}

/** Takes files that changed into the index, shows it where they are many, and how it went where it failed. */
function createUpdates(log: Services['log'], index: SearchIndex): (files: readonly string[]) => Promise<void> {
  /** Files whose update failed: the next one takes them in as well. */
  const failed = new Set<string>();

  async function takeIn(news: readonly string[]): Promise<void> {
    const again = [...failed];
    const files = [...new Set([...news, ...again])];
    failed.clear();
    if (findObstacle() !== undefined) return;
    try {
      const isLost = await index.wasLost();
      if (!isLost && !(await index.exists())) return;
      const allowed = await index.allowedForFiles();
      // It may be deleted by now, and an update would make it again.
      if (!isLost && !(await index.exists())) return;
      // New rules may include or exclude any file below.
      const whole = files.some((file) => ruleFile.test(file)) ? roots() : [];
      const embeddingModel = allowed?.model;
      let tellRead: () => void = () => undefined;
      const isRead = new Promise<void>((resolve) => {
        tellRead = resolve;
      });
      const update = updateAgreed(index, { files: [...files, ...whole], again }, allowed, tellRead);
      const phase = files.length > storm.files ? showUpdate(files.length) : undefined;
      const isDone = finish(update, files, embeddingModel).finally(() => endUpdate(phase));
      // Keywords find a file once it is read; its vectors may wait for a whole build, and the next save must not.
      const isOnlyRead = await Promise.race([isRead.then(() => true), isDone]);
      if (isOnlyRead) await index.refresh();
      // These are first in an index that is made anew: then the rest is read, and what is known of it taken in.
      if (isLost) await index.keywordHalf.prepare();
      endUpdate(phase);
    } catch (error) {
      await fail(error, files);
    }
  }

  /** Shows that many files are taken in, unless a run shows its own progress; the phase that says so. */
  function showUpdate(files: number): IndexPhase | undefined {
    if (index.phase.kind !== 'idle') return undefined;
    const phase: IndexPhase = { kind: 'updating', files };
    index.setPhase(phase);
    return phase;
  }

  function endUpdate(phase: IndexPhase | undefined): void {
    if (phase !== undefined && index.phase === phase) index.setPhase({ kind: 'idle' });
  }

  async function finish(
    update: Promise<Pick<IndexResult, 'embedded'>>,
    files: readonly string[],
    embeddingModel: EmbeddingModel | undefined,
  ): Promise<void> {
    try {
      const { embedded } = await update;
      await index.refresh();
      if (
        index.phase.kind === 'failed' &&
        (embeddingModel === undefined || isOver(index.phase.error, embedded, index.status))
      ) {
        index.setPhase({ kind: 'idle' });
      }
    } catch (error) {
      await fail(error, files);
    }
  }

  async function fail(error: unknown, files: readonly string[]): Promise<void> {
    if (isCancelled(error)) return;
    for (const file of files) if (failed.size < mostFailed) failed.add(file);
    // The error shows in the view: a message for every save would be too much.
    log.error(describeForLog(error));
    await index.refresh().catch(() => undefined);
    index.setPhase({ kind: 'failed', error });
  }

  return takeIn;
}

/** Files to take in, and those of them whose last update failed. */
interface ChangedFiles {
  readonly files: readonly string[];
  readonly again: readonly string[];
}

/** Takes files in; only those below a folder that the user agreed to are sent. */
async function updateAgreed(
  { client }: SearchIndex,
  { files, again }: ChangedFiles,
  allowed: AllowedForFiles | undefined,
  onEvent: () => void,
): Promise<Pick<IndexResult, 'embedded'>> {
  const isAgreed = (file: string): boolean => allowed?.roots.some((root) => isBelow(file, root)) === true;
  const agreed = files.filter(isAgreed);
  const others = files.filter((file) => !isAgreed(file));
  const update = (some: readonly string[], model?: EmbeddingModel) =>
    some.length === 0 ? { embedded: 0 } : client.update(indexScope(), some, model, { onEvent }, again);
  const [sent] = await Promise.all([update(agreed, allowed?.model), update(others)]);
  return sent;
}

/** Whether a path is a folder, or lies below it. */
function isBelow(path: string, folder: string): boolean {
  const to = relative(folder, path);
  return to === '' || (to !== '..' && !to.startsWith(`..${sep}`) && !isAbsolute(to));
}

/** Whether a successful update proves that an earlier error is over, and did not just need nothing. */
function isOver(error: unknown, embedded: number, status: Status | undefined): boolean {
  const { filesDone, indexed } = status ?? {};
  const isWhole = filesDone !== undefined && filesDone >= (indexed?.files ?? 0);
  return embedded > 0 || isWhole || (error instanceof ServiceError && error.kind === 'storage');
}

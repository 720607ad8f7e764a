import { type Disposable, type Uri, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { onSettingChange, readSetting } from '../../editor/settings.ts';
import { isCancelled, ServiceError } from '../../service/errors.ts';
import type { Status } from '../protocol.ts';
import { findObstacle } from './obstacle.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A save waits this long for others that come with it. */
const pauseMs = 100;
/** More changes than this are a storm, a checkout for one, and wait for its end: it is one update. */
const storm = { files: 20, pauseMs: 400 } as const;
/** Files that say which other files belong to the index. */
const ruleFile = /(^|[\\/])(\.gitignore|\.parleyignore|\.gitattributes|\.git[\\/]info[\\/](exclude|attributes))$/;
/** Settings that do the same. */
const ruleSettings = [
  'parley.search.exclude',
  'parley.search.allowPaths',
  'parley.search.includeGenerated',
  'parley.search.maxFileSize',
] as const;

/**
 * Keeps the index up to date: saves always, other changes on disk (deletes, renames, a checkout) once the search is in use;
 * what changed before that is found when the search first reads the files. The keyword half needs no service; what changed
 * is sent only where the user agreed. With no index, an event costs one look at the disk, after the pause.
 */
export function registerUpdates({ log }: Services, index: SearchIndex): Disposable {
  const owned = new Disposables();
  const changed = new Set<string>();
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

  /** One at a time: what changes meanwhile is taken together afterwards. */
  async function update(): Promise<void> {
    if (updating) return;
    updating = true;
    try {
      while (changed.size > 0) await takeIn();
    } finally {
      updating = false;
    }
  }

  async function takeIn(): Promise<void> {
    const files = [...changed];
    changed.clear();
    if (findObstacle() !== undefined || !(await index.exists())) return;
    try {
      // New rules may let other files in, or keep some out, anywhere below.
      const whole = files.some((file) => ruleFile.test(file)) ? index.scope().roots : [];
      const meant = await index.allowedForFiles();
      const { embedded } = await index.client.update(index.scope(), [...files, ...whole], meant);
      await index.refresh();
      if (index.phase.kind === 'failed' && (meant === undefined || isOver(index.phase.error, embedded, index.status))) {
        index.setPhase({ kind: 'idle' });
      }
    } catch (error) {
      if (isCancelled(error)) return;
      // Said in the view: a notice for every save would be too much.
      log.error(describeForLog(error));
      await index.refresh().catch(() => undefined);
      index.setPhase({ kind: 'failed', error });
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
  owned.add(
    onSettingChange(ruleSettings, () => {
      for (const root of index.scope().roots) changed.add(root);
      schedule();
    }),
  );
  owned.add({ dispose: () => clearTimeout(timer) });
  return owned;
}

/** Whether an update that went well shows that what failed before goes well again, and not only that it needed nothing. */
function isOver(error: unknown, embedded: number, status: Status | undefined): boolean {
  const { filesDone, indexed } = status ?? {};
  const isWhole = filesDone !== undefined && filesDone >= (indexed?.files ?? 0);
  return embedded > 0 || isWhole || (error instanceof ServiceError && error.kind === 'storage');
}

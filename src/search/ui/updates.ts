import { type Disposable, type Uri, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { isCancelled } from '../../service/errors.ts';
import { findObstacle } from './obstacle.ts';
import type { SearchIndex } from './searchIndex.ts';

/** Changes that come within this time are taken together: a checkout is one update. */
const pauseMs = 400;

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
  let updating: Promise<void> = Promise.resolve();

  function take(uri: Uri): void {
    if (uri.scheme !== 'file' || /[\\/](\.git|node_modules)[\\/]/.test(uri.fsPath)) return;
    if (!readSetting('parley.search.updateOnSave')) return;
    changed.add(uri.fsPath);
    clearTimeout(timer);
    timer = setTimeout(() => {
      updating = updating.then(update);
    }, pauseMs);
  }

  async function update(): Promise<void> {
    const files = [...changed];
    changed.clear();
    if (files.length === 0 || findObstacle() !== undefined || !(await index.exists())) return;
    try {
      // New rules may let other files in, or keep some out.
      if (files.some((file) => file.endsWith('.gitignore'))) await index.client.index(index.scope(), undefined);
      await index.client.update(index.scope(), files, await index.allowedMeant());
      await index.refresh();
      if (index.phase.kind === 'failed') index.setPhase({ kind: 'idle' });
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
  owned.add({ dispose: () => clearTimeout(timer) });
  return owned;
}

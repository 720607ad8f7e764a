import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../host/processes.ts';
import { withProgress } from '../host/progress.ts';

const folder = import.meta.dirname;
const modules = join(folder, 'node_modules');
const stampFile = join(modules, '.parley-stamp');

/** Installs the clients that Parley is measured against, when they are missing or others than the lock file names. */
export async function installPeers(): Promise<void> {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  const { code, output } = await withProgress('Installing the peers (npm ci)', () =>
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }),
  );
  if (code !== 0) throw new Error(`The peers could not be installed:\n${output}`);
  writeFileSync(stampFile, wanted);
}

/**
 * Loads a peer. By a name that is only known at run time: types and lint must not depend on whether the peers are
 * installed. `T` is the part of its interface that the bench uses.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

import { existsSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../base/privateFiles.ts';

/** What the launcher starts. */
export interface LaunchTarget {
  /** The program that runs scripts: a Node, or an editor that is one with `ELECTRON_RUN_AS_NODE`. */
  readonly node: string;
  /** The bundle of `parley-search`. */
  readonly script: string;
  /** Version of the extension that has it. */
  readonly version: string;
}

/**
 * A small script that starts `parley-search`, at a path that stays the same when the extension is updated: the files of agents name it.
 * @param data the data folder of this user
 */
function launcherPath(data: string, platform: NodeJS.Platform = process.platform): string {
  return join(data, 'bin', platform === 'win32' ? 'parley-search.cmd' : 'parley-search');
}

/** Whether an agent was ever told of the search here. */
export const launcherExists = (data: string): boolean => existsSync(launcherPath(data));

/** Writes the launcher, unless there is one that works, of a later version. @throws the error of the disk */
export async function writeLauncher(data: string, target: LaunchTarget): Promise<string> {
  const path = launcherPath(data);
  const text = launcherText(target, process.platform);
  const there = await readFile(path, 'utf8').catch(() => undefined);
  if (there === text || (there !== undefined && (await isNewer(there, target.version)))) return path;
  await writeWhole(path, text);
  await chmod(path, 0o700);
  return path;
}

export function launcherText({ node, script, version }: LaunchTarget, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const quoted = (text: string): string => `"${text.replaceAll('%', '%%')}"`;
    const lines = ['@echo off', `rem Parley ${version} ${script}`, 'setlocal', 'set ELECTRON_RUN_AS_NODE=1'];
    return [...lines, `${quoted(node)} ${quoted(script)} %*`, ''].join('\r\n');
  }
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    '#!/bin/sh',
    `# Parley ${version} ${script}`,
    // The Node of a remote editor is gone with its next version; then any other does.
    `if [ -x ${quoted(node)} ]; then ELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${quoted(script)} "$@"; fi`,
    `exec node ${quoted(script)} "$@"`,
    '',
  ].join('\n');
}

/** Whether a launcher is of a later version than this, and what it starts is there. */
async function isNewer(text: string, version: string): Promise<boolean> {
  const [, own = '', script = ''] = /^(?:#|rem) Parley (\S+) (.+?)\r?$/m.exec(text) ?? [];
  if (own.localeCompare(version, 'en', { numeric: true }) <= 0) return false;
  return stat(script).then(
    () => true,
    () => false,
  );
}

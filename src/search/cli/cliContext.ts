import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { outermost } from '../registry/folderIndex.ts';
import type { CliArguments } from './cliOptions.ts';
import { CliProblem } from './cliProblem.ts';
import type { Terminal } from './terminal/cliTerminal.ts';

/** What a command works with. */
export interface CliContext {
  readonly args: CliArguments;
  /** The folder in which the command was given. */
  readonly cwd: string;
  /** The data folder of this user. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Fires with Ctrl+C. */
  readonly signal: AbortSignal;
}

/** Runs a command. @returns the exit code */
export type RunCommand = (context: CliContext) => Promise<number>;

/** The folders that were named, as absolute paths, each once; the one of the command where none was. @throws CliProblem for what is none */
export function foldersOf(cwd: string, named: readonly string[]): string[] {
  const folders = (named.length === 0 ? ['.'] : named).map((folder) => resolve(cwd, folder));
  for (const folder of folders) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    throw new CliProblem(
      stat === undefined ? l10n.t('There is no folder {0}.', folder) : l10n.t('{0} is not a folder.', folder),
      l10n.t('Name a folder with code in it.'),
    );
  }
  return outermost(folders);
}

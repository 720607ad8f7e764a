import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { askedFolders } from '../registry/askedFolders.ts';
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

/**
 * The folders that were named, as absolute paths; the one of the command where none was. Two ways to a folder are one, and a folder inside
 * another one of them is that one's.
 * @throws CliProblem for what is none
 */
export async function foldersOf(cwd: string, named: readonly string[]): Promise<string[]> {
  const paths = (named.length === 0 ? ['.'] : named).map((folder) => resolve(cwd, folder));
  const { folders, missing } = await askedFolders(paths);
  for (const path of missing) {
    throw new CliProblem(
      existsSync(path) ? l10n.t('{0} is not a folder.', path) : l10n.t('There is no folder {0}.', path),
      l10n.t('Name a folder with code in it.'),
    );
  }
  return folders.map(({ given }) => given);
}

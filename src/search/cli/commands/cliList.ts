import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isInside } from '../../../base/paths.ts';
import { openIndexRegistry } from '../../registry/indexRegistry.ts';
import { windowsOf } from '../../registry/windows.ts';
import type { RunCommand } from '../cliContext.ts';
import { exitCode } from '../cliProblem.ts';
import { ageText, sizeText } from '../cliText.ts';
import { isGone } from '../indexFacts.ts';

/** An index of this machine, as `list` and `clean` see it. */
export interface IndexOnDisk {
  readonly directory: string;
  readonly folders: readonly { readonly path: string; readonly isGone: boolean }[];
  readonly model?: string | undefined;
  readonly origin?: string | undefined;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly isOpenInWindow: boolean;
  /** Made by this command, in the data folder; others are of editors, or were put elsewhere. */
  readonly isOwn: boolean;
}

/** All indexes of this machine, the one that was used last first. */
export async function indexesOnDisk(data: string): Promise<IndexOnDisk[]> {
  const listed = await openIndexRegistry(data).list();
  return Promise.all(
    listed.map(async ({ directory, scope, source, bytes, usedAt }) => ({
      directory,
      folders: scope.roots.map((path) => ({ path, isGone: isGone(path) })),
      ...{ model: source?.model, origin: source?.origin, bytes, usedAt },
      isOpenInWindow: (await windowsOf(data, directory)).length > 0,
      isOwn: isInside(join(data, 'indexes'), directory),
    })),
  );
}

/** An index in one line. */
export function indexText({ folders, bytes, usedAt, model }: IndexOnDisk): string {
  const names = folders.map(({ path, isGone: gone }) => (gone ? l10n.t('{0} (gone)', path) : path));
  return [
    names.join(', '),
    sizeText(bytes),
    l10n.t('used {0}', ageText(usedAt, Date.now())),
    model ?? l10n.t('words only'),
  ].join('  ');
}

/** `list`: all indexes of this machine. */
export const runCliList: RunCommand = async ({ args, data, terminal }) => {
  const indexes = await indexesOnDisk(data);
  if (args.has('json')) terminal.json({ indexes });
  else for (const index of indexes) terminal.out(indexText(index));
  if (indexes.length === 0 && !args.has('json')) terminal.note(l10n.t('There is no index on this machine.'));
  return exitCode.done;
};

import * as l10n from '@vscode/l10n';
import { openIndexRegistry } from '../../registry/indexRegistry.ts';
import { isInUse } from '../../store/schema/inUse.ts';
import type { RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { sizeText } from '../cliText.ts';
import { type IndexOnDisk, indexesOnDisk, indexText } from './cliList.ts';

/** Which indexes are deleted; where neither is given, those whose folders are gone. */
export interface CleanRule {
  readonly isGone: boolean;
  readonly olderThanDays?: number | undefined;
}

const dayMs = 86_400_000;

/** The indexes that a rule names. One that a window has open is none of them, whatever its age; nor is one with a folder that is there gone. */
export function indexesToDelete<T extends Pick<IndexOnDisk, 'folders' | 'usedAt' | 'isOpenInWindow'>>(
  indexes: readonly T[],
  { isGone, olderThanDays }: CleanRule,
  now: number,
): T[] {
  return indexes.filter(({ folders, usedAt, isOpenInWindow }) => {
    if (isOpenInWindow) return false;
    const isOld = olderThanDays !== undefined && now - usedAt > olderThanDays * dayMs;
    const areGone = (isGone || olderThanDays === undefined) && folders.every((folder) => folder.isGone);
    return isOld || areGone;
  });
}

/** `clean`: deletes indexes that nobody needs. An index outside the data folder is an editor's, and is asked about. */
export const runCliClean: RunCommand = async ({ args, data, terminal, signal }) => {
  const olderThanDays = args.number('older-than', { least: 0, most: 36_500, isWhole: false });
  const rule: CleanRule = { isGone: args.has('gone'), olderThanDays };
  const named = indexesToDelete(await indexesOnDisk(data), rule, Date.now());
  // Searches for agents and other commands announce themselves nowhere.
  const chosen = named.filter(({ directory }) => !isInUse(directory));
  const isDry = args.has('dry-run');
  const registry = openIndexRegistry(data);
  const deleted: IndexOnDisk[] = [];
  const kept: IndexOnDisk[] = [];
  for (const index of chosen) {
    if (signal.aborted) return exitCode.interrupted;
    const question = l10n.t('Delete the index of an editor: {0}? [y/N]', indexText(index));
    if (isDry) deleted.push(index);
    else if (index.isOwn || args.has('yes') || (await terminal.ask(question, signal))) {
      await registry.remove(index.directory, true);
      deleted.push(index);
    } else kept.push(index);
  }
  const bytes = deleted.reduce((sum, index) => sum + index.bytes, 0);
  if (args.has('json')) terminal.json({ isDryRun: isDry, deleted, kept, bytes });
  else {
    for (const index of deleted) terminal.out(indexText(index));
    terminal.note(isDry ? l10n.t('{0} would be freed.', sizeText(bytes)) : l10n.t('{0} were freed.', sizeText(bytes)));
  }
  if (kept.length > 0 && !terminal.isInteractive) {
    throw new CliProblem(
      l10n.t('Indexes of editors were left as they are, and nobody is here to say yes.'),
      l10n.t('Add --yes, or look at them with --dry-run first.'),
    );
  }
  return exitCode.done;
};

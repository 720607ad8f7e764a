import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { isTooWide, realOf } from '../registry/askedFolders.ts';
import { commandCache } from '../registry/dataFolder.ts';
import { ownScope } from '../registry/folderIndex.ts';
import type { IndexRecord } from '../registry/indexRecord.ts';
import { openIndexRegistry } from '../registry/indexRegistry.ts';
import type { CliContext } from './cliContext.ts';
import type { CliArguments } from './cliOptions.ts';
import { CliProblem } from './cliProblem.ts';

/** Options that say which files are in an index. */
const scopeOptions = ['max-file-size', 'exclude', 'allow', 'include-generated'] as const;

/**
 * The record of the index that `index` brings up to date: the one of just these folders, or a new one. What the options say of its files
 * takes the place of what was said before; what they leave out stays.
 * @throws CliProblem where an editor's settings say which files are in it, or `--index` names a folder of something else; ServiceError
 * `invalid-request` where no folder was named, and this one has all that a user or a disk has
 */
export async function indexToUpdate(
  { args, cwd, data }: Pick<CliContext, 'args' | 'cwd' | 'data'>,
  folders: readonly string[],
): Promise<IndexRecord> {
  const registry = openIndexRegistry(data);
  const named = args.text('index');
  const directory = named === undefined ? undefined : resolve(cwd, named);
  const found =
    directory === undefined
      ? await registry.find(folders)
      : (await registry.all()).find((record) => record.directory === directory);
  const known = found !== undefined && (await isOfJust(found, folders)) ? found : undefined;
  if (directory !== undefined && known === undefined) checkFree(directory, found !== undefined);
  // A folder that is named is meant. The one of the command may be any in which a terminal was opened.
  for (const hint of known === undefined && args.positionals.length === 0 ? folders : []) {
    if (await isTooWide(await realOf(hint))) throw new ServiceError('invalid-request', { param: 'folder', hint });
  }
  const isEditors = known !== undefined && isOfEditor(known, data);
  const said = scopeOptions.find((name) => args.has(name));
  if (isEditors && said !== undefined) {
    throw new CliProblem(
      l10n.t('The index of these folders is an editor’s, and its settings say which files are in it.'),
      l10n.t('Leave --{0} out, or keep another index with --index.', said),
    );
  }
  const cachePath = known?.cachePath ?? (isEditors ? undefined : commandCache(data));
  return {
    version: 1,
    directory: known?.directory ?? directory ?? registry.ownDirectory(folders),
    ...(cachePath === undefined ? {} : { cachePath }),
    scope: { ...(known?.scope ?? { ...ownScope, roots: folders }), ...scopeOf(args) },
    ...(known?.source === undefined ? {} : { source: known.source }),
    ...(isEditors ? {} : { madeBy: 'command' }),
    usedAt: Date.now(),
  };
}

/** Whether an editor made an index. Those of commands lie in the data folder unless they were put elsewhere. */
const isOfEditor = ({ madeBy, directory }: IndexRecord, data: string): boolean =>
  madeBy === undefined && !isInside(join(data, 'indexes'), directory);

/**
 * Records an index that was brought up to date. What an editor has recorded of its own stays, as it is now: its settings may have changed
 * meanwhile.
 * @param source the model by which an index of a command is searched from now on; where it is absent, the one of before stays
 */
export async function recordUpdate(data: string, record: IndexRecord, source?: IndexRecord['source']): Promise<void> {
  const registry = openIndexRegistry(data);
  const usedAt = Date.now();
  if (!isOfEditor(record, data)) return registry.write({ ...record, ...(source && { source }), usedAt });
  const now = (await registry.all()).find(({ directory }) => directory === record.directory);
  await registry.write({ ...(now ?? record), usedAt });
}

/** Whether an index has these folders and no others, whatever links lead there. */
async function isOfJust({ scope: { roots } }: IndexRecord, folders: readonly string[]): Promise<boolean> {
  const own = await Promise.all(roots.map(realOf));
  const asked = await Promise.all(folders.map(realOf));
  return own.length === asked.length && asked.every((folder) => own.includes(folder));
}

/** An index would take the place of another one, or stand among files of something else. */
function checkFree(directory: string, isOfOthers: boolean): void {
  const next = l10n.t('Name an empty folder, or one that is not there yet.');
  if (isOfOthers) throw new CliProblem(l10n.t('{0} holds the index of other folders.', directory), next);
  if (!existsSync(directory) || existsSync(join(directory, 'index.db'))) return;
  let names: string[] | undefined;
  try {
    names = readdirSync(directory);
  } catch {
    names = undefined;
  }
  if (names === undefined) throw new CliProblem(l10n.t('{0} is not a folder.', directory), next);
  if (names.length > 0) throw new CliProblem(l10n.t('{0} holds something else than an index.', directory), next);
}

/** What the options say of the files. */
function scopeOf(args: CliArguments): Partial<IndexRecord['scope']> {
  const kilobytes = args.number('max-file-size', { least: 1, most: 1024 * 1024, isWhole: true });
  return {
    ...(kilobytes === undefined ? {} : { maxBytes: kilobytes * 1024 }),
    ...(args.has('exclude') ? { exclude: [...args.texts('exclude')] } : {}),
    ...(args.has('allow') ? { allow: [...args.texts('allow')] } : {}),
    ...(args.has('include-generated') ? { includeGenerated: true } : {}),
  };
}

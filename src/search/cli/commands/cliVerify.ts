import { existsSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { createEngine } from '../../engine.ts';
import { foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { chunksText, filesText } from '../cliText.ts';
import { knownIndex, makeOne } from '../indexFacts.ts';

/**
 * `verify`: whether the index is sound on the disk, and has the files as they are. It changes nothing: what is damaged is built again by
 * `index`.
 */
export const runCliVerify: RunCommand = async ({ args, cwd, data, terminal, signal }) => {
  const folders = await foldersOf(cwd, args.positionals);
  const { directory, source, scope, cachePath } = await knownIndex(data, folders);
  const engine = createEngine(directory, cachePath);
  try {
    const damage = engine.check();
    if (damage === undefined) throw new CliProblem(l10n.t('There is no index of {0}.', folders.join(', ')), makeOne());
    // A corrupted database is not opened: that would put a new one in its place.
    const isReadable = damage.databases.length === 0;
    const roots = scope.roots.filter((root) => existsSync(root));
    const behind = isReadable ? await engine.behind({ roots }, signal) : undefined;
    const status = isReadable ? engine.status(source) : undefined;
    const withoutMeaning =
      status === undefined || source === undefined ? 0 : status.indexed.files - (status.filesDone ?? 0);
    const damaged = Math.max(damage.texts + damage.vectors, status?.damaged ?? 0);
    const isSound = isReadable && damaged === 0;
    const changed = behind === undefined ? 0 : behind.added + behind.changed + behind.gone;
    const isCurrent = isReadable && changed === 0 && withoutMeaning === 0;
    const code = isSound && isCurrent ? exitCode.done : exitCode.nothing;
    if (args.has('json')) {
      const found = { isSound, isCurrent, damage: { ...damage, known: status?.damaged ?? 0 }, behind, withoutMeaning };
      terminal.json({ folders: scope.roots, directory, ...found });
      return code;
    }
    for (const name of damage.databases) terminal.out(l10n.t('{0} is damaged on the disk.', name));
    if (damaged > 0) terminal.out(l10n.t('{0} damaged on the disk.', chunksText(damaged)));
    if (behind !== undefined && changed > 0) {
      const { added, changed: differ, gone } = behind;
      terminal.out(l10n.t('Not as in the index: {0} new, {1} changed, {2} gone.', filesText(added), differ, gone));
    }
    if (withoutMeaning > 0) terminal.out(l10n.t('{0} not found by meaning yet.', filesText(withoutMeaning)));
    if (code === exitCode.done) terminal.out(l10n.t('The index is sound and current.'));
    else if (damage.vectors + withoutMeaning > 0) {
      terminal.note(l10n.t('“parley-search index” with --url and --model brings it up to date.'));
    } else terminal.note(l10n.t('“parley-search index” brings it up to date.'));
    return code;
  } finally {
    engine.close();
  }
};

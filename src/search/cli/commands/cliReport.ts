import * as l10n from '@vscode/l10n';
import { createEngine } from '../../engine.ts';
import { indexBytes } from '../../registry/indexRegistry.ts';
import { windowsOf } from '../../registry/windows.ts';
import type { RefusalReason } from '../../types.ts';
import { foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { ageText, numberText, sizeText } from '../cliText.ts';
import { coverageText, knownIndex, leftOutTexts, makeOne, rowsText } from '../indexFacts.ts';

/** Refused texts that are listed one by one. */
const mostListed = 50;

/** `report`: what the index of folders has. */
export const runCliReport: RunCommand = async ({ args, cwd, data, terminal }) => {
  const folders = await foldersOf(cwd, args.positionals);
  const { directory, source, scope, usedAt, cachePath } = await knownIndex(data, folders);
  const engine = createEngine(directory, cachePath);
  try {
    if (engine.peek() === undefined) {
      throw new CliProblem(l10n.t('The index of {0} cannot be read.', folders.join(', ')), makeOne());
    }
    const { indexed, filesDone, coverage, excluded, damaged = 0 } = engine.status(source);
    const { refused } = await engine.contents(source);
    const scannedAt = engine.scannedAt();
    const bytes = await indexBytes(directory);
    const isOpenInWindow = (await windowsOf(data, directory)).length > 0;
    if (args.has('json')) {
      terminal.json({
        ...{ folders: scope.roots, directory, model: source?.model, origin: source?.origin },
        ...{ documentPrefix: source?.documentPrefix, queryPrefix: source?.queryPrefix },
        ...{ ...indexed, filesDone, coverage, excluded, refused, damaged, bytes, scannedAt, usedAt, isOpenInWindow },
      });
      return exitCode.done;
    }
    const none = l10n.t('none');
    const age = scannedAt === undefined ? l10n.t('never to the end') : ageText(scannedAt, Date.now());
    terminal.out(
      rowsText([
        [l10n.t('Folders'), scope.roots.join(', ')],
        [l10n.t('Index'), directory],
        [l10n.t('Files'), numberText(indexed.files)],
        [l10n.t('Files by meaning'), filesDone === undefined ? none : numberText(filesDone)],
        [l10n.t('Coverage'), coverageText({ coverage, indexed })],
        [l10n.t('Chunks'), numberText(indexed.chunks)],
        [l10n.t('Tokens in them, estimated'), numberText(indexed.tokens)],
        [l10n.t('Damaged on the disk'), numberText(damaged)],
        [l10n.t('Index on the disk'), sizeText(bytes)],
        [l10n.t('Service'), source?.origin ?? none],
        [l10n.t('Model'), source?.model ?? none],
        [l10n.t('Files were read'), isOpenInWindow ? l10n.t('by an open editor, which keeps it current') : age],
        [l10n.t('Last used'), ageText(usedAt, Date.now())],
      ]),
    );
    section(l10n.t('Left out, besides what git ignores'), leftOutTexts(excluded));
    section(
      l10n.t('Not found by meaning'),
      refused.map(({ path, startLine, endLine, reason, detail }) =>
        l10n.t('{0}, lines {1} to {2}: {3}', path, startLine, endLine, refusalText(reason, detail)),
      ),
    );
    return exitCode.done;
  } finally {
    engine.close();
  }

  function section(title: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const more = lines.length - mostListed;
    terminal.out(`\n${title}:`);
    for (const line of lines.slice(0, mostListed)) terminal.out(`  ${line}`);
    if (more > 0) terminal.out(`  ${l10n.t('and {0} more', numberText(more))}`);
  }
};

function refusalText(reason: RefusalReason, detail: string): string {
  if (reason === 'too-long') return l10n.t('too long for the model');
  if (reason === 'no-vector' || detail === '') return l10n.t('the model gives no numbers for it');
  return l10n.t('refused with “{0}”', detail);
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { l10n } from 'vscode';
import { formatSize, priceText } from '../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../editor/settings.ts';
import { markdownText } from '../../../editor/text/markdownText.ts';
import { originOf } from '../../../service/endpoint.ts';
import type { ExclusionReason } from '../../../workspace/exclusions.ts';
import type { Contents } from '../../store/indexContents.ts';
import type { RefusalReason } from '../../types.ts';
import { coverageText, exclusionText, numberText, stateText } from '../shared/sentences.ts';
import type { SearchIndex } from './searchIndex.ts';

/** The full report on the index, as Markdown. */
export async function reportText(index: SearchIndex): Promise<string> {
  const status = await index.client.status(await index.allowedModel());
  const endpoint = await index.endpoint().catch(() => undefined);
  const { indexed, filesDone, excluded, damaged = 0 } = status;
  // A state that repeats the coverage, which has a row of its own, is left out.
  const state = index.state.kind === 'ready' && damaged === 0 ? l10n.t('Ready') : stateText(index);
  const rows: [string, string][] = [
    [l10n.t('State'), state ?? l10n.t('The workspace is not indexed')],
    [l10n.t('Files'), numberText(indexed.files)],
    [l10n.t('Files by meaning'), filesDone === undefined ? l10n.t('none') : numberText(filesDone)],
    [l10n.t('Coverage'), coverageText(status)],
    [l10n.t('Chunks'), numberText(indexed.chunks)],
    [l10n.t('Tokens in them, estimated'), numberText(indexed.tokens)],
    [l10n.t('Damaged on the disk'), numberText(damaged)],
    [l10n.t('Index on the disk'), formatSize(await sizeOf(index.paths.directory))],
    [l10n.t('Vectors kept for all folders of this machine'), formatSize(await sizeOf(index.paths.cache))],
  ];
  if (endpoint !== undefined) {
    const origin = originOf(endpoint.baseUrl);
    const { today, total } = index.sending.budget.spent(origin);
    const prefix = readSetting('parley.embeddings.documentPrefix');
    const budget = readSetting('parley.embeddings.dailyTokenBudget');
    const price = priceText(total / 1_000_000, readSetting('parley.embeddings.pricePerMillionTokens'));
    rows.push(
      [l10n.t('Service'), origin],
      [l10n.t('Model'), endpoint.model],
      [l10n.t('Put before every text'), prefix === '' ? l10n.t('nothing') : prefix],
      [l10n.t('Tokens sent today'), numberText(today)],
      [l10n.t('Tokens sent in all'), numberText(total)],
      [l10n.t('Daily token budget'), budget > 0 ? numberText(budget) : l10n.t('no limit')],
      ...(price === undefined ? [] : [[l10n.t('Cost in all, about'), price] satisfies [string, string]]),
    );
  }
  const leftOut = Object.entries(excluded).map(
    ([reason, count]) => `- ${markdownText(exclusionText(reason as ExclusionReason, count))}`,
  );
  const { refused } = await index.client.contents(await index.allowedModel());
  return [
    `# ${l10n.t('Index Report')}`,
    `| | |\n|---|---|\n${rows.map((row) => `| ${row.map(markdownText).join(' | ')} |`).join('\n')}`,
    `## ${l10n.t('Left out, besides what git ignores')}`,
    leftOut.length === 0 ? l10n.t('Nothing.') : leftOut.join('\n'),
    ...(refused.length === 0 ? [] : [`## ${l10n.t('Not found by meaning')}`, refusedText(refused)]),
    '',
  ].join('\n\n');
}

/** Places that are listed one by one. */
const mostListed = 50;

/** The texts that the service could not take, each with its place and why. */
function refusedText(refused: Contents['refused']): string {
  const lines = refused
    .slice(0, mostListed)
    .map(({ path, startLine, endLine, reason, detail }) =>
      markdownText(
        l10n.t(
          '{0}, lines {1} to {2}: {3}',
          path,
          numberText(startLine),
          numberText(endLine),
          refusalText(reason, detail),
        ),
      ),
    );
  const more = refused.length - lines.length;
  return [
    l10n.t('The service has no vector for these texts. They are found by words, and sent again only when they change.'),
    [...lines, ...(more > 0 ? [l10n.t('and {0} more', numberText(more))] : [])].map((line) => `- ${line}`).join('\n'),
  ].join('\n\n');
}

function refusalText(reason: RefusalReason, detail: string): string {
  if (reason === 'too-long') return l10n.t('too long for the model');
  if (reason === 'no-vector' || detail === '') return l10n.t('the model gives no numbers for it');
  return l10n.t('refused with “{0}”', detail);
}

/** Size in bytes of a database file with its journals, or of a folder's files; 0 when there is none. */
async function sizeOf(path: string): Promise<number> {
  const inFolder = await readdir(path).then(
    (names) => names.map((name) => join(path, name)),
    () => ['', '-wal', '-shm'].map((suffix) => path + suffix),
  );
  const sizes = inFolder.map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

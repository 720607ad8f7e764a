import { existsSync, statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { ExclusionReason } from '../../workspace/exclusions.ts';
import type { Status } from '../engine/engineApi.ts';
import type { IndexRecord } from '../registry/indexRecord.ts';
import { openIndexRegistry } from '../registry/indexRegistry.ts';
import type { IndexProgress } from '../types.ts';
import { CliProblem } from './cliProblem.ts';
import { chunksText, filesText, numberText, percentText } from './cliText.ts';

/** The record of the index that has these folders. @throws CliProblem where there is none */
export async function knownIndex(data: string, folders: readonly string[]): Promise<IndexRecord> {
  const record = await openIndexRegistry(data).find(folders);
  if (record !== undefined && existsSync(record.directory)) return record;
  throw new CliProblem(l10n.t('There is no index of {0}.', folders.join(', ')), makeOne());
}

export const makeOne = (): string => l10n.t('Make one with “parley-search index”.');

/** Whether a folder is not there any more; one that cannot be looked at may well be. */
export function isGone(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export function progressText(progress: IndexProgress): string {
  const { done, of } =
    progress.phase === 'embedding'
      ? { done: progress.chunks, of: chunksText(progress.ofChunks) }
      : { done: progress.files, of: filesText(progress.ofFiles) };
  if (progress.phase === 'embedding') return l10n.t('Indexing: {0}', l10n.t('{0} of {1}', numberText(done), of));
  return progress.ofFiles === 0
    ? l10n.t('Listing files…')
    : l10n.t('Reading {0}', l10n.t('{0} of {1}', numberText(done), of));
}

/** How much of the text files is in the index, as `100 % of 412,300 lines in 3,120 files`. */
export function coverageText({ coverage: { lines, covered }, indexed }: Pick<Status, 'coverage' | 'indexed'>): string {
  const ofLines = lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', numberText(lines));
  return l10n.t(
    '{0} % of {1} in {2}',
    percentText(lines === 0 ? 1 : covered / lines),
    ofLines,
    filesText(indexed.files),
  );
}

/** The files that are left out, one text for each reason. */
export function leftOutTexts(excluded: Status['excluded']): string[] {
  return Object.entries(excluded).map(([reason, count]) => exclusionText(reason as ExclusionReason, count));
}

function exclusionText(reason: ExclusionReason, files: number): string {
  const isOne = files === 1;
  const texts: Record<ExclusionReason, (count: string) => string> = {
    'secret-path': (count) => l10n.t('{0} with the name of a secret', count),
    'secret-content': (count) => l10n.t('{0} with a key or password inside', count),
    setting: (count) => l10n.t('{0} named by --exclude or the setting parley.search.exclude', count),
    parleyignore: (count) => l10n.t('{0} named in .parleyignore', count),
    'rule-file': (count) => l10n.t('{0} kept back by an ignore file that is too large or cannot be read', count),
    binary: (count) => (isOne ? l10n.t('1 file that is not text') : l10n.t('{0} that are not text', count)),
    'too-large': (count) => l10n.t('{0} over the size limit', count),
    minified: (count) => l10n.t('{0} minified', count),
    generated: (count) => l10n.t('{0} generated or from elsewhere', count),
    'lock-file': (count) => l10n.t('{0} written by tools', count),
    symlink: (count) => (isOne ? l10n.t('1 file that is a link') : l10n.t('{0} that are links', count)),
    unreadable: (count) => l10n.t('{0} that cannot be read', count),
  };
  return texts[reason](filesText(files));
}

/** Rows of a name and its value, below each other. */
export function rowsText(rows: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${`${name}:`.padEnd(widest + 1)} ${value}`).join('\n');
}

import { env, l10n } from 'vscode';
import { errorText } from '../../editor/errorText.ts';
import { ServiceError } from '../../service/errors.ts';
import type { ExclusionReason } from '../exclusions.ts';
import type { IndexProgress, Plan } from '../protocol.ts';
import type { Why } from '../ranking.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A number as it is written in the language of VS Code. */
export function numberText(value: number): string {
  return value.toLocaleString(env.language);
}

export function filesText(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(count));
}

export function chunksText(count: number): string {
  return count === 1 ? l10n.t('1 chunk') : l10n.t('{0} chunks', numberText(count));
}

/** Why a hit was found, as a person would say it. */
export function whyText(why: Why): string {
  const texts: Record<Why, string> = {
    words: l10n.t('by words'),
    meaning: l10n.t('by meaning'),
    both: l10n.t('by words and meaning'),
  };
  return texts[why];
}

/** Why a hit was found, and how well it fits beside the others of the same search. */
export function reasonText({ why, score }: { why: Why; score: number }): string {
  return l10n.t('{0} · score {1}', whyText(why), score.toFixed(2));
}

export function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined) return l10n.t('Reading the workspace…');
  if (progress.phase === 'embedding') {
    return l10n.t('Indexing: {0} of {1} chunks', numberText(progress.chunks), numberText(progress.ofChunks));
  }
  if (progress.ofFiles === 0) return l10n.t('Listing files…');
  return l10n.t('Reading {0} of {1} files', numberText(progress.files), numberText(progress.ofFiles));
}

/** What the index is or does, in a few words; undefined when there is nothing to say. */
export function stateText({ phase, status }: SearchIndex): string | undefined {
  if (phase.kind === 'reading' || phase.kind === 'embedding') return progressText(phase.progress);
  if (phase.kind === 'failed') return l10n.t('The last update failed: {0}', sentenceOf(phase.error));
  if (status === undefined) return undefined;
  const { indexed, filesDone, damaged = 0 } = status;
  const files = filesText(indexed.files);
  if (damaged > 0)
    return l10n.t('Indexed {0} · {1} damaged on the disk, until the next run', files, chunksText(damaged));
  if (filesDone === undefined) return l10n.t('Indexed {0} · keywords only', files);
  if (filesDone < indexed.files) return l10n.t('Indexed {0} · {1} by meaning', files, numberText(filesDone));
  return l10n.t('Indexed {0}', files);
}

/** What a plan leaves out, by reason, one in a line. */
export function leftOutText(excluded: Plan['excluded']): string {
  const texts: Record<ExclusionReason, (count: string) => string> = {
    'secret-path': (count) => l10n.t('{0} with the name of a secret', count),
    'secret-content': (count) => l10n.t('{0} with a key or password inside', count),
    setting: (count) => l10n.t('{0} named by the setting parley.search.exclude', count),
    parleyignore: (count) => l10n.t('{0} named in .parleyignore', count),
    binary: (count) => l10n.t('{0} that are not text', count),
    'too-large': (count) => l10n.t('{0} over the size limit', count),
    minified: (count) => l10n.t('{0} minified', count),
    generated: (count) => l10n.t('{0} generated or from elsewhere', count),
    'lock-file': (count) => l10n.t('{0} written by package tools', count),
    symlink: (count) => l10n.t('{0} that are links', count),
    unreadable: (count) => l10n.t('{0} that cannot be read', count),
  };
  return Object.entries(excluded)
    .map(([reason, count]) => texts[reason as ExclusionReason](filesText(count)))
    .join('\n');
}

export function sentenceOf(error: unknown): string {
  return error instanceof ServiceError ? errorText(error).sentence : l10n.t('Parley met an error it did not expect.');
}

import { env, l10n } from 'vscode';
import { errorText } from '../../editor/errorText.ts';
import { ServiceError } from '../../service/errors.ts';
import type { ExclusionReason } from '../exclusions.ts';
import type { IndexProgress, Plan, SearchAnswer, Status } from '../protocol.ts';
import type { Why } from '../ranking.ts';
import type { State } from '../state.ts';
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
    definition: l10n.t('defines it'),
  };
  return texts[why];
}

/** Why a hit was found, and how well it fits beside the others of the same search. */
export function reasonText({ why, score }: { why: Why; score: number }): string {
  return l10n.t('{0} · score {1}', whyText(why), score.toFixed(2));
}

/** What an answer leaves out of the meaning half; undefined when that is whole, or the state of the index says it. */
export function halfText({ by, indexed }: Pick<SearchAnswer, 'by' | 'indexed'>): string | undefined {
  if (by === 'failed') return l10n.t('by keywords, the service did not answer');
  if (indexed === undefined) return undefined;
  return l10n.t('{0} % indexed by meaning', numberText(Math.floor(indexed * 100)));
}

export function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined) return l10n.t('Reading the workspace…');
  if (progress.phase === 'embedding') {
    return l10n.t('Indexing: {0} of {1} chunks', numberText(progress.chunks), numberText(progress.ofChunks));
  }
  if (progress.ofFiles === 0) return l10n.t('Listing files…');
  return l10n.t('Reading {0} of {1} files', numberText(progress.files), numberText(progress.ofFiles));
}

/** How much of the text files is in the index, as `100 % of 412,300 lines in 3,120 files`. Rounded down: 100 is all. */
export function coverageText({ coverage: { lines, covered }, indexed }: Status): string {
  const percent = lines === 0 ? 100 : Math.floor((covered / lines) * 1_000) / 10;
  return l10n.t('{0} % of {1} lines in {2}', numberText(percent), numberText(lines), filesText(indexed.files));
}

/** What the index is or does, in a sentence; undefined when there is nothing to say. */
export function stateText({ state, status }: SearchIndex): string | undefined {
  switch (state.kind) {
    case 'unused':
      return undefined;
    case 'listing':
      return l10n.t('Listing files…');
    case 'reading':
      return l10n.t('Reading {0} of {1} files', numberText(state.done), numberText(state.of));
    case 'consent':
      return l10n.t('Waiting for your answer before anything is sent');
    case 'embedding':
      return l10n.t('Indexing: {0} of {1} chunks', numberText(state.done), numberText(state.of));
    case 'waiting':
      return l10n.t('The service asks to wait until {0}; {1} of {2} chunks are in', ...waitOf(state));
    case 'paused': {
      const by =
        state.by === 'user'
          ? l10n.t('Indexing is paused')
          : l10n.t('Indexing is paused: the daily token budget is spent. It goes on tomorrow');
      return l10n.t('{0} · {1} of {2} are in', by, numberText(state.done), numberText(state.of));
    }
    case 'failed':
      return l10n.t('The last update failed: {0}', sentenceOf(state.error));
    case 'words':
      return l10n.t('Keywords only · {0}', coveredText(status, state.files));
    case 'stale': {
      const covered = coveredText(status, state.of);
      return (
        damageText(status) ??
        l10n.t('{0} of {1} files by meaning · {2}', numberText(state.done), numberText(state.of), covered)
      );
    }
    case 'ready':
      return damageText(status) ?? l10n.t('Indexed {0}', coveredText(status, state.files));
  }
}

function coveredText(status: Status | undefined, files: number): string {
  return status === undefined ? filesText(files) : coverageText(status);
}

function damageText(status: Status | undefined): string | undefined {
  if (!status?.damaged) return undefined;
  const damaged = chunksText(status.damaged);
  return l10n.t('Indexed {0} · {1} damaged on the disk, until the next run', coverageText(status), damaged);
}

function waitOf({ until, done, of }: Extract<State, { kind: 'waiting' }>): [string, string, string] {
  return [timeText(until), numberText(done), numberText(of)];
}

/** A time of today, as it is written in the language of VS Code. */
export function timeText(time: number): string {
  return new Intl.DateTimeFormat(env.language, { timeStyle: 'medium' }).format(time);
}

/** What so many tokens cost; undefined when the price of a million is 0, which is: not said. */
export function priceText(tokens: number, pricePerMillion: number): string | undefined {
  if (pricePerMillion <= 0) return undefined;
  const price = (tokens / 1_000_000) * pricePerMillion;
  return price.toLocaleString(env.language, { maximumSignificantDigits: price < 1 ? 2 : 4 });
}

/** What a plan leaves out, by reason, one in a line. */
export function leftOutText(excluded: Plan['excluded']): string {
  return Object.entries(excluded)
    .map(([reason, count]) => exclusionText(reason as ExclusionReason, filesText(count)))
    .join('\n');
}

/** Files that are left out for a reason. */
export function exclusionText(reason: ExclusionReason, files: string): string {
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
  return texts[reason](files);
}

export function sentenceOf(error: unknown): string {
  return error instanceof ServiceError ? errorText(error).sentence : l10n.t('Parley met an error it did not expect.');
}

import { env, l10n } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { timeText } from '../../../editor/sentences/formatUnits.ts';
import type { ExclusionReason } from '../../../workspace/exclusions.ts';
import type { Plan, Status } from '../../engine/engineApi.ts';
import type { SearchAnswer } from '../../query/query.ts';
import type { Why } from '../../query/ranking.ts';
import type { WordProblem } from '../../store/words.ts';
import type { IndexProgress } from '../../types.ts';
import type { State } from './state.ts';

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

export function tokensText(count: number): string {
  return count === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', numberText(count));
}

function linesText(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', numberText(count));
}

/** Progress as a count of chunks or files. */
function ofText(done: number, of: string): string {
  return l10n.t('{0} of {1}', numberText(done), of);
}

/** The problem with the words of a question; undefined when there is none. */
export function wordsText(text: string, problem: WordProblem | undefined): string | undefined {
  if (problem === 'common') return l10n.t('“{0}” is made of words too common to search for', text);
  return problem === 'none' ? l10n.t('There is no word to search for in “{0}”', text) : undefined;
}

/** What shows the hits that are not listed yet. */
export function moreText(count: number): string {
  return count === 1 ? l10n.t('Show 1 More Hit') : l10n.t('Show {0} More Hits', numberText(count));
}

/** How many further hits a file has that are not listed. */
export function leftText(count: number): string {
  return l10n.t('+{0} more', numberText(count));
}

/** That a file of the name that is searched for is left out, and why; undefined where none is. */
export function leftOutNote(file: SearchAnswer['leftOut']): string | undefined {
  if (file === undefined) return undefined;
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const texts: Record<ExclusionReason, () => string> = {
    'secret-path': () => l10n.t('{0} is left out: it has the name of a secret', name),
    'secret-content': () => l10n.t('{0} is left out: it holds a key or password', name),
    setting: () => l10n.t('{0} is left out by the setting parley.search.exclude', name),
    parleyignore: () => l10n.t('{0} is left out by .parleyignore', name),
    'rule-file': () => l10n.t('{0} is left out: an ignore file is too large or cannot be read', name),
    binary: () => l10n.t('{0} is left out: it is not text', name),
    'too-large': () => l10n.t('{0} is left out: it is over the size limit', name),
    minified: () => l10n.t('{0} is left out as minified', name),
    generated: () => l10n.t('{0} is left out as generated or from elsewhere', name),
    'lock-file': () => l10n.t('{0} is left out as written by tools', name),
    symlink: () => l10n.t('{0} is left out: it is a link', name),
    unreadable: () => l10n.t('{0} is left out: it cannot be read', name),
  };
  return texts[file.reason]();
}

/** Why a hit was found, in plain words. */
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

/** The limits of the vector half of an answer; undefined when there are none, or the state of the index names them. */
export function halfText({
  by,
  fault,
  otherModel,
  indexed,
  looked,
  team,
}: Pick<SearchAnswer, 'by' | 'fault' | 'otherModel' | 'indexed' | 'looked' | 'team'>): string | undefined {
  if (looked !== undefined)
    return l10n.t('{0} % of the code looked through in time', numberText(Math.floor(looked * 100)));
  if (fault === 'length')
    return l10n.t('by words, the vector of the question has another length than those of the index');
  if (otherModel !== undefined) return l10n.t('by words, the index is of {0}', otherModel);
  if (by === 'failed') return l10n.t('by keywords, the service did not answer');
  const percent = indexed === undefined ? undefined : numberText(Math.floor(indexed * 100));
  if (team?.problem !== undefined) {
    return percent === undefined
      ? l10n.t('by words, team index not reached')
      : team.hits > 0
        ? l10n.t('{0} % indexed here, the rest by the team index in part', percent)
        : l10n.t('{0} % indexed by meaning, team index not reached', percent);
  }
  if (percent === undefined) return undefined;
  return team !== undefined && team.hits > 0
    ? l10n.t('{0} % indexed here, the rest by the team index', percent)
    : l10n.t('{0} % indexed by meaning', percent);
}

export function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined) return l10n.t('Reading the workspace…');
  if (progress.phase === 'embedding') {
    return l10n.t('Indexing: {0}', ofText(progress.chunks, chunksText(progress.ofChunks)));
  }
  if (progress.ofFiles === 0) return l10n.t('Listing files…');
  return l10n.t('Reading {0}', ofText(progress.files, filesText(progress.ofFiles)));
}

/** How much of the text files is in the index, as `100 % of 412,300 lines in 3,120 files`. Rounded down: 100 is all. */
export function coverageText({ coverage: { lines, covered }, indexed }: Status): string {
  const percent = lines === 0 ? 100 : Math.floor((covered / lines) * 1_000) / 10;
  return l10n.t('{0} % of {1} in {2}', numberText(percent), linesText(lines), filesText(indexed.files));
}

/** The state of the index as a sentence; undefined when there is nothing to say. */
export function stateText({ state, status }: { state: State; status: Status | undefined }): string | undefined {
  switch (state.kind) {
    case 'unused':
      return undefined;
    case 'deleted':
      return l10n.t('The workspace is not indexed');
    case 'listing':
      return l10n.t('Listing files…');
    case 'reading':
      return l10n.t('Reading {0}', ofText(state.done, filesText(state.of)));
    case 'updating':
      return l10n.t('The index is being brought up to date: {0} changed', filesText(state.files));
    case 'consent':
      return l10n.t('Waiting for your answer before anything is sent');
    case 'embedding':
      return l10n.t('Indexing: {0}', ofText(state.done, chunksText(state.of)));
    case 'waiting': {
      const why =
        state.error === undefined
          ? l10n.t('The service asks to wait until {0}', timeText(state.until))
          : l10n.t('{0} Trying again at {1}', sentenceOf(state.error), timeText(state.until));
      return l10n.t('{0}; {1} are in', why, ofText(state.done, chunksText(state.of)));
    }
    case 'paused': {
      const by =
        state.by === 'user'
          ? l10n.t('Indexing is paused')
          : l10n.t('Indexing is paused: the daily token budget is spent. It goes on tomorrow');
      return l10n.t('{0} · {1} are in', by, ofText(state.done, numberText(state.of)));
    }
    case 'failed':
      return l10n.t('The last update failed: {0}', sentenceOf(state.error));
    case 'words':
      return l10n.t('Keywords only · {0}', coveredText(status, state.files));
    case 'stale': {
      const covered = coveredText(status, state.of);
      return damageText(status) ?? l10n.t('{0} by meaning · {1}', ofText(state.done, filesText(state.of)), covered);
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

/** The files a plan leaves out, by reason, one in a line. */
export function leftOutText(excluded: Plan['excluded']): string {
  return Object.entries(excluded)
    .map(([reason, count]) => exclusionText(reason as ExclusionReason, count))
    .join('\n');
}

/** The number of files left out for a reason. */
export function exclusionText(reason: ExclusionReason, files: number): string {
  const isOne = files === 1;
  const texts: Record<ExclusionReason, (count: string) => string> = {
    'secret-path': (count) => l10n.t('{0} with the name of a secret', count),
    'secret-content': (count) => l10n.t('{0} with a key or password inside', count),
    setting: (count) => l10n.t('{0} named by the setting parley.search.exclude', count),
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

/**
 * Whether the service returned vectors of another length than before: existing vectors do not help, and all texts must
 * be sent again.
 */
export function needsAnew(error: unknown): boolean {
  return error instanceof ServiceError && error.hint === 'another length';
}

export function sentenceOf(error: unknown): string {
  return error instanceof ServiceError ? errorText(error).sentence : l10n.t('Parley met an error it did not expect.');
}

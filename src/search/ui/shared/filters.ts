import { l10n } from 'vscode';
import type { QueryFilters } from '../../query/filter/queryFilter.ts';

/** Filters of a search; an absent one does not narrow it. */
export interface Filters {
  /** VS Code's id of a language. */
  readonly language?: string | undefined;
  /** Folder relative to the workspace, with `/`. */
  readonly folder?: string | undefined;
  /** File pattern such as `*.test.ts`. */
  readonly glob?: string | undefined;
  /** A branch, tag or commit: only files that differ from it match. */
  readonly changedSince?: string | undefined;
}

export const noFilters: Filters = {};

export function hasFilters(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The filters in a few words; empty without any. */
export function filtersText({ language, folder, glob, changedSince }: Filters): string {
  return [
    language,
    folder === undefined ? undefined : l10n.t('in {0}', folder),
    glob,
    changedSince === undefined ? undefined : l10n.t('changed since {0}', changedSince),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export function isSameFilters(a: Filters, b: Filters): boolean {
  return (['language', 'folder', 'glob', 'changedSince'] as const).every((aspect) => a[aspect] === b[aspect]);
}

/** The filters in the form the search takes. */
export function toQueryFilters({ language, folder, glob, changedSince }: Filters): QueryFilters {
  const globs = glob === undefined ? [] : [glob];
  return { globs, languages: language === undefined ? [] : [language], folder, changedSince };
}

import { l10n } from 'vscode';
import type { QueryFilters } from '../queryFilter.ts';

/** What narrows a search; an absent one narrows nothing. */
export interface Filters {
  /** VS Code's id of a language. */
  readonly language?: string | undefined;
  /** Relative to the workspace, with `/`. */
  readonly folder?: string | undefined;
  /** Such as `*.test.ts`. */
  readonly glob?: string | undefined;
  /** A branch, tag or commit: only files that differ from it. */
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

/** The filters as the search takes them. */
export function toQueryFilters({ language, folder, glob, changedSince }: Filters): QueryFilters {
  const globs = glob === undefined ? [] : [glob];
  return { globs, languages: language === undefined ? [] : [language], folder, changedSince };
}

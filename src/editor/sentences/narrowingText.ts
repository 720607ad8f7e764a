import { l10n } from 'vscode';
import type { ServiceError } from '../../base/errors.ts';
import { plain } from '../text/plainText.ts';

/** Sources of lists of file patterns: a question, and settings. */
const globLists: ReadonlySet<string> = new Set(['globs', 'parley.search.exclude', 'parley.search.allowPaths']);

/** A bound with its number, as the check of file patterns gives it. */
const globBound = /^(length|wildcards|braces|list) \d+$/;

/** Whether an error is about file patterns that are over a bound. */
export function isAboutGlobs({ kind, param = '', hint = '' }: ServiceError): boolean {
  return kind === 'invalid-request' && globLists.has(param) && globBound.test(hint);
}

/** Names the bound that a list of file patterns is over: it stands in `hint` with its number. */
export function globSentence({ param = '', hint = '' }: ServiceError): string {
  const [bound = '', number = ''] = hint.split(' ');
  const sentences: Record<string, () => string> = {
    length: () => l10n.t('a file pattern may have at most {0} characters', number),
    wildcards: () => l10n.t('a file pattern may have at most {0} wildcards such as * and ?', number),
    braces: () => l10n.t('the braces of a file pattern may stand for at most {0} patterns', number),
    list: () => l10n.t('there may be at most {0} file patterns', number),
  };
  const rule = sentences[bound]?.() ?? plain(hint);
  return param.startsWith('parley.')
    ? l10n.t('The setting {0} cannot be used: {1}.', plain(param), rule)
    : l10n.t('The search cannot be narrowed like this: {0}.', rule);
}

/** Why a regular expression of a search cannot be used. The expression stands in `message`, why in `hint`. */
export function patternSentence({ message, hint = '' }: ServiceError): string {
  const typed = plain(message, { length: 80 });
  if (hint === 'slow')
    return l10n.t('The expression /{0}/ takes too long to search with; a simpler one does not.', typed);
  if (hint === 'long') return l10n.t('The expression is too long to search with.');
  return hint === ''
    ? l10n.t('/{0}/ is no regular expression.', typed)
    : l10n.t('/{0}/ is no regular expression: {1}.', typed, plain(hint, { length: 80 }));
}

/** The reason why git does not say what changed. */
export function gitSentence({ hint = '', message }: ServiceError): string {
  if (hint === 'not-owned') return notOwnedText(message);
  const sentences: Record<string, () => string> = {
    missing: () => l10n.t('Git was not found on this machine, so nobody can say what changed.'),
    'no-repository': () => l10n.t('The folder is in no git repository, so nobody can say what changed.'),
    endless: () => l10n.t('Git did not answer in time, so nobody can say what changed.'),
  };
  const sentence = sentences[hint]?.() ?? l10n.t('Git could not compare the files.');
  return message === '' ? sentence : `${sentence} ${l10n.t('It said: “{0}”', plain(message, { length: 300 }))}`;
}

/** Git does not read a repository that another user of the machine owns, as in containers and on shared disks. */
export function notOwnedText(folder: string): string {
  return l10n.t(
    'Git does not read {0}, since another user of this machine owns it. If you trust it, add it to safe.directory of git.',
    plain(folder, { length: 300 }),
  );
}

/** The action that helps: VS Code's own list of such repositories. */
export function manageNotOwned(): { readonly title: string; readonly command: string } {
  return { title: l10n.t('Manage Unsafe Repositories'), command: 'git.manageUnsafeRepositories' };
}

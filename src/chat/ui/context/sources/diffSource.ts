import { l10n } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { manageNotOwned, notOwnedText } from '../../../../editor/sentences/narrowingText.ts';
import type { DiffOf } from '../../../../workspace/git/gitDiff.ts';
import type { FolderDiff, WorkspaceFiles } from '../../../../workspace/workspaceFiles.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import type { ContextAdder } from '../contextAdder.ts';
import { step, withinStep } from './steps.ts';

/** `@diff:`: what is staged, what is not yet, and what changed since a branch. */
export function createDiffSource(
  files: Pick<WorkspaceFiles, 'diff' | 'branches'>,
  adder: ContextAdder,
  notices: Notices,
): CompletionSource {
  async function add(of: DiffOf, name: string): Promise<void> {
    const found = await files.diff(of, new AbortController().signal);
    const diffs = found.filter((each) => each.kind === 'diff');
    const text = diffs.map((each) => each.text).join('');
    const gaps = diffs.flatMap((each) => each.gaps.map(({ path }) => path));
    const foreign = found.find(({ kind }) => kind === 'not-owned');
    if (text === '' && foreign?.kind === 'not-owned')
      return void notices.warn(notOwnedText(foreign.folder), manageNotOwned());
    if (text === '') return void notices.warn(emptyText(found, name, gaps));
    await adder.addText({ kind: 'diff', label: `diff ${name}`, path: name, languageId: 'diff', text });
    if (gaps.length > 0)
      void notices.info(l10n.t('Changes of these files are not attached: {0}', gaps.slice(0, 10).join(', ')));
  }

  return {
    trigger: '@',
    async find(text, signal) {
      const named = withinStep(text, 'diff:');
      if (named === undefined) return step(text, 'diff:', l10n.t('Changes in git'), 'git-compare');
      const item = (name: string, detail: string, of: DiffOf, what: string): CompletionItem[] =>
        name.toLowerCase().includes(named.toLowerCase())
          ? [{ label: name, detail, icon: 'git-compare', words: `diff ${what}`, choose: () => add(of, what) }]
          : [];
      const branches = await files.branches(signal);
      const all = [
        ...item('unstaged', l10n.t('What is not staged yet'), 'unstaged', 'unstaged'),
        ...item('staged', l10n.t('What is staged'), 'staged', 'staged'),
        ...branches.flatMap((name) => item(name, l10n.t('Since this branch'), { since: name }, `since ${name}`)),
      ];
      // The staged ones come before the unstaged ones where that is what is typed.
      const begins = ({ label }: CompletionItem): boolean => label.toLowerCase().startsWith(named.toLowerCase());
      return [...all.filter(begins), ...all.filter((each) => !begins(each))];
    },
  };
}

function emptyText(found: readonly FolderDiff[], name: string, gaps: readonly string[]): string {
  if (gaps.length > 0)
    return l10n.t('Nothing was attached: the changes are in files that hold secrets, are no text, or are too large.');
  if (found.some(({ kind }) => kind === 'diff')) return l10n.t('There are no changes: {0}.', name);
  if (found.some(({ kind }) => kind === 'missing')) return l10n.t('Git is not installed here.');
  if (found.some(({ kind }) => kind === 'no-revision')) return l10n.t('Git knows no branch of this name.');
  if (found.some(({ kind }) => kind === 'failed' || kind === 'endless'))
    return l10n.t('Git could not say what changed.');
  return l10n.t('No folder here that you trust is in a git repository.');
}

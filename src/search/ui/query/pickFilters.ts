import { FileType, l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon, Uri, workspace } from 'vscode';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { checkGlobs } from '../../../workspace/glob/glob.ts';
import { roots } from '../../../workspace/ui/folders.ts';
import { languageIds } from '../../query/filter/languages.ts';
import { type Filters, filtersText, hasFilters, noFilters } from '../shared/filters.ts';
import { sentenceOf } from '../shared/sentences.ts';
import { askForOperator, type Operator, operatorItems } from './pickOperator.ts';

type Aspect = keyof Filters;
/** A filter's value: empty for any, undefined when the user cancelled. */
type Value = string | undefined;

/** What was chosen in the filter box. */
export interface ChosenFilters {
  readonly filters: Filters;
  /** What is added to the question: an operator that narrows it. */
  readonly typed?: string;
}

/** Asks for a filter and its value, or for an operator of the question. Undefined when the user cancelled. */
export async function pickFilters(filters: Filters): Promise<ChosenFilters | undefined> {
  const item = (aspect: Aspect, label: string, icon: string): FilterItem => {
    return { aspect, label, description: filters[aspect] ?? l10n.t('Any'), iconPath: new ThemeIcon(icon) };
  };
  const items: FilterItem[] = [
    item('language', l10n.t('Language'), 'code'),
    item('folder', l10n.t('Folder'), 'folder'),
    item('glob', l10n.t('Files'), 'file'),
    item('changedSince', l10n.t('Changed Since'), 'git-commit'),
    { label: l10n.t('In the Query'), kind: QuickPickItemKind.Separator },
    ...operatorItems(),
  ];
  if (hasFilters(filters)) {
    const description = filtersText(filters);
    items.push(
      { label: '', kind: QuickPickItemKind.Separator },
      { label: l10n.t('Clear Filters'), description, iconPath: new ThemeIcon('clear-all') },
    );
  }
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Filter Search'),
    placeHolder: l10n.t('What to narrow the search by'),
  });
  if (chosen === undefined) return undefined;
  if (chosen.operator !== undefined) {
    const typed = await askForOperator(chosen.operator);
    return typed === undefined ? undefined : { filters, typed };
  }
  if (chosen.aspect === undefined) return { filters: noFilters };
  const value = await askFor(chosen.aspect, filters[chosen.aspect] ?? '');
  return value === undefined ? undefined : { filters: { ...filters, [chosen.aspect]: value.trim() || undefined } };
}

interface FilterItem extends QuickPickItem {
  aspect?: Aspect;
  operator?: Operator;
}

async function askFor(aspect: Aspect, current: string): Promise<Value> {
  switch (aspect) {
    case 'language':
      return pickLanguage(current);
    case 'folder':
      return pickFolder(await listFolders(), current);
    case 'glob':
      return window.showInputBox({
        title: l10n.t('Files'),
        prompt: l10n.t('Only files that match this pattern, such as {0}; empty for any.', '*.test.ts'),
        value: current,
        validateInput: globProblem,
      });
    case 'changedSince':
      return window.showInputBox({
        title: l10n.t('Changed Since'),
        prompt: l10n.t('Only files that differ from this branch, tag or commit, such as {0}; empty for any.', 'HEAD~5'),
        value: current,
        validateInput: (value) =>
          isRevision(value.trim()) ? undefined : l10n.t('This is not the name of a revision.'),
      });
  }
}

/** The error of a file pattern, while it is typed. */
function globProblem(value: string): string | undefined {
  try {
    checkGlobs([value], 'globs');
    return undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}

/** Whether a text may be a revision: an option of git is not. */
function isRevision(value: string): boolean {
  return !/^-|\s/.test(value);
}

async function pickLanguage(current: string): Promise<Value> {
  const items = ['', ...languageIds].map((value) => toItem(value, current));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Language'),
    placeHolder: l10n.t('Only files of this language'),
  });
  return chosen?.value;
}

/** Shows a list in which another folder can be typed as well. */
function pickFolder(folders: readonly string[], current: string): Promise<Value> {
  const pick = window.createQuickPick<ReturnType<typeof toItem>>();
  const offer = (): void => {
    const typed = pick.value
      .trim()
      .replaceAll('\\', '/')
      .replace(/^(\.?\/)+|\/+$/g, '');
    const others = typed === '' || folders.includes(typed) ? [] : [typed];
    pick.items = plainItems(['', ...folders, ...others].map((value) => toItem(value, current)));
  };
  pick.title = plain(l10n.t('Folder'));
  pick.placeholder = plain(l10n.t('Only files in this folder; another one can be typed'));
  pick.onDidChangeValue(offer);
  offer();
  return untilAnswered(pick, () => chosenItem(pick)?.value);
}

function toItem(value: string, current: string): QuickPickItem & { value: string } {
  return { value, label: value || l10n.t('Any'), picked: value === current };
}

/** The folders near the top of the workspace, by their paths under its roots. */
async function listFolders(): Promise<string[]> {
  const found = new Set<string>();
  for (const root of roots()) {
    for (const top of await foldersIn(Uri.file(root), '')) {
      found.add(top);
      for (const inner of await foldersIn(Uri.file(root), top)) found.add(inner);
    }
  }
  return [...found].sort();
}

async function foldersIn(root: Uri, path: string): Promise<string[]> {
  const entries = await workspace.fs.readDirectory(Uri.joinPath(root, path)).then(
    (read) => read,
    () => [],
  );
  return entries
    .filter(([name, type]) => type === FileType.Directory && name !== '.git' && name !== 'node_modules')
    .map(([name]) => (path === '' ? name : `${path}/${name}`));
}

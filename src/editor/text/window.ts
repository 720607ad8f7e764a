import {
  type Disposable,
  type FileDecoration,
  type FileDecorationProvider,
  type InputBox,
  type InputBoxOptions,
  type MessageOptions,
  type Progress,
  type ProgressOptions,
  type ProviderResult,
  type QuickPick,
  type QuickPickItem,
  type QuickPickOptions,
  type StatusBarAlignment,
  type StatusBarItem,
  type Terminal,
  type TreeDataProvider,
  type TreeView,
  type TreeViewOptions,
  type Uri,
  type ViewColumn,
  window as vscodeWindow,
  type WebviewPanel,
} from 'vscode';
import { type PlainText, plain, plainLines } from './plainText.ts';
import type { PlainTreeItem } from './shown.ts';

/** A type whose texts of these names take nothing but plain text. */
type Plain<T, Names extends keyof T> = T & { [Name in Names]: PlainText | Extract<T[Name], undefined> };

export type PlainItem<T extends QuickPickItem = QuickPickItem> = T & {
  label: PlainText;
  description?: PlainText;
  detail?: PlainText;
};
export type PlainQuickPick<T extends QuickPickItem> = Plain<
  QuickPick<PlainItem<T>>,
  'title' | 'placeholder' | 'prompt'
>;
type PlainInputBox = Plain<InputBox, 'title' | 'placeholder' | 'prompt' | 'validationMessage'>;
type PlainStatusBarItem = Plain<StatusBarItem, 'name' | 'text' | 'tooltip'>;
export type PlainWebviewPanel = Plain<WebviewPanel, 'title'>;
export type PlainTreeView<T> = Plain<TreeView<T>, 'title' | 'description' | 'message'>;
type PlainTreeProvider<T> = TreeDataProvider<T> & { getTreeItem(row: T): PlainTreeItem };
export type PlainDecoration = FileDecoration & { badge?: PlainText; tooltip?: PlainText };
export type PlainSerializer = { deserializeWebviewPanel(panel: PlainWebviewPanel, state: unknown): Promise<void> };
type PlainDecorations = FileDecorationProvider & {
  provideFileDecoration(uri: Uri): ProviderResult<PlainDecoration>;
};

/** The items of a list as they are shown: their texts plain, all else as it was. */
export function plainItems<T extends QuickPickItem>(items: readonly T[]): PlainItem<T>[] {
  return items.map((item) => ({ ...item, ...plainOf(item, ['label', 'description', 'detail']) }) as PlainItem<T>);
}

/** The texts of these names that are there, made plain. */
function plainOf<T extends object, Name extends keyof T>(given: T, names: readonly Name[]): Partial<T> {
  const texts = names.flatMap((name) => (typeof given[name] === 'string' ? [[name, plain(given[name])]] : []));
  return Object.fromEntries(texts) as Partial<T>;
}

type Message = {
  <T extends string>(message: string, ...buttons: T[]): Promise<T | undefined>;
  <T extends string>(message: string, options: MessageOptions, ...buttons: T[]): Promise<T | undefined>;
};

/** A message or a dialog, whose buttons are given back as they were passed. A dialog's detail has lines, which are ours. */
function shows(way: 'showErrorMessage' | 'showWarningMessage' | 'showInformationMessage'): Message {
  return async <T extends string>(message: string, ...rest: (MessageOptions | T | undefined)[]) => {
    const options = rest.find((each) => typeof each === 'object') ?? {};
    const buttons = rest.filter((each) => typeof each === 'string');
    const titles = buttons.map((button) => plain(button));
    const detail = options.detail === undefined ? {} : { detail: plainLines(options.detail) };
    const chosen = await vscodeWindow[way](plain(message), { ...options, ...detail }, ...titles);
    return buttons[(titles as readonly unknown[]).indexOf(chosen)];
  };
}

function showQuickPick<T extends QuickPickItem>(
  items: readonly T[],
  options: QuickPickOptions & { canPickMany: true },
): Promise<T[] | undefined>;
function showQuickPick<T extends QuickPickItem>(items: readonly T[], options: QuickPickOptions): Promise<T | undefined>;
async function showQuickPick<T extends QuickPickItem>(items: readonly T[], options: QuickPickOptions) {
  const shown = plainItems(items);
  const given = (chosen: T): T | undefined => items[(shown as readonly T[]).indexOf(chosen)];
  const texts = plainOf(options, ['title', 'placeHolder', 'prompt']);
  const chosen: T | T[] | undefined = await vscodeWindow.showQuickPick<T>(shown, { ...options, ...texts });
  return Array.isArray(chosen) ? chosen.flatMap((item) => given(item) ?? []) : chosen && given(chosen);
}

async function showInputBox({ validateInput, ...options }: InputBoxOptions): Promise<string | undefined> {
  const validate = async (value: string) => {
    const problem = await validateInput?.(value);
    return typeof problem === 'string' ? plain(problem) : problem && { ...problem, message: plain(problem.message) };
  };
  const texts = plainOf(options, ['title', 'placeHolder', 'prompt']);
  return vscodeWindow.showInputBox({ ...options, ...texts, ...(validateInput ? { validateInput: validate } : {}) });
}

type Step = { message?: string; increment?: number };

/** Shortens a step's message: with the title, it has to fit into a notification. */
function plainStep({ message, ...rest }: Step): Step {
  return message === undefined ? rest : { message: plain(message, { length: 900 }), ...rest };
}

async function withProgress<T>(
  options: ProgressOptions,
  task: (
    progress: Progress<Step>,
    token: Parameters<Parameters<typeof vscodeWindow.withProgress>[1]>[1],
  ) => Thenable<T>,
): Promise<T> {
  return vscodeWindow.withProgress({ ...options, ...plainOf(options, ['title']) }, (progress, token) =>
    task({ report: (step) => progress.report(plainStep(step)) }, token),
  );
}

/** Parts that are only given another type: the texts that are set on them have to be plain. */
interface Typed {
  createQuickPick<T extends QuickPickItem>(): PlainQuickPick<T>;
  createInputBox(): PlainInputBox;
  createStatusBarItem(id: string, alignment?: StatusBarAlignment, priority?: number): PlainStatusBarItem;
  createTreeView<T>(
    id: string,
    options: TreeViewOptions<T> & { treeDataProvider: PlainTreeProvider<T> },
  ): PlainTreeView<T>;
  createWebviewPanel(
    type: string,
    title: PlainText,
    column: ViewColumn | { viewColumn: ViewColumn; preserveFocus: boolean },
  ): PlainWebviewPanel;
  registerWebviewPanelSerializer(type: string, serializer: PlainSerializer): Disposable;
  createTerminal(options: { name: PlainText }): Terminal;
  registerFileDecorationProvider(provider: PlainDecorations): Disposable;
}

const plainly = {
  showErrorMessage: shows('showErrorMessage'),
  showWarningMessage: shows('showWarningMessage'),
  showInformationMessage: shows('showInformationMessage'),
  showQuickPick,
  showInputBox,
  withProgress,
};

type Forbidden = 'setStatusBarMessage' | 'registerTreeDataProvider';
type PlainWindow = Typed & typeof plainly & Omit<typeof vscodeWindow, keyof Typed | keyof typeof plainly | Forbidden>;

/**
 * VS Code's `window`, as all of Parley uses it: methods that show a text at once make it plain, and properties take
 * only a plain one.
 */
export const window = Object.create(vscodeWindow, Object.getOwnPropertyDescriptors(plainly)) as PlainWindow;

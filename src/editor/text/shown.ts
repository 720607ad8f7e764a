import {
  CodeAction,
  CodeActionKind,
  CodeLens,
  type DecorationInstanceRenderOptions,
  type Diagnostic,
  Hover,
  type LanguageModelChatInformation,
  type LanguageModelTool,
  MarkdownString,
  type Range,
  TreeItem,
  type TreeItemCollapsibleState,
} from 'vscode';
import { markdownText } from './markdownText.ts';
import { type PlainText, plain, showUnseen, withIcon } from './plainText.ts';
import { proseMarkdown } from './proseMarkdown.ts';

declare const made: unique symbol;
/** Markdown in which text from outside is only text, or code in a block. */
export type PlainMarkdown = MarkdownString & { readonly [made]: true };

/** A row of a tree. VS Code draws icons in its texts, so they are plain. */
export type PlainTreeItem = TreeItem & {
  label?: PlainText;
  description?: PlainText;
  tooltip?: PlainText | PlainMarkdown | undefined;
  accessibilityInformation?: { label: PlainText };
};

export function treeItem(label: PlainText, state?: TreeItemCollapsibleState): PlainTreeItem {
  return new TreeItem(label, state) as PlainTreeItem;
}

/** A row with parts of its label marked. @param marks start and end of each, in the label */
export function markedTreeItem(
  label: PlainText,
  highlights: [start: number, end: number][],
  state?: TreeItemCollapsibleState,
): PlainTreeItem {
  return new TreeItem({ label, highlights }, state) as PlainTreeItem;
}

/** A model as VS Code lists it: its name and what is told of it are a service's words. */
export type PlainModel = LanguageModelChatInformation & {
  name: PlainText;
  family: PlainText;
  version: PlainText;
  detail: PlainText;
  tooltip: PlainText;
};

interface PlainInvocation {
  invocationMessage: PlainMarkdown;
  confirmationMessages?: { title: PlainText; message: PlainMarkdown };
}
/** A tool for agents: its messages hold a model's words, and VS Code draws them as Markdown. */
export type PlainTool<T> = Omit<LanguageModelTool<T>, 'prepareInvocation'> & {
  prepareInvocation(
    ...given: Parameters<NonNullable<LanguageModelTool<T>['prepareInvocation']>>
  ): Promise<PlainInvocation>;
};

/** A mark in an editor: the text that VS Code puts beside a line, and what it shows on hover. */
export interface PlainMark {
  range: Range;
  hoverMessage?: PlainMarkdown;
  renderOptions?: { after: NonNullable<DecorationInstanceRenderOptions['after']> & { contentText: PlainText } };
}

/** A text as Markdown that shows it as it is. */
export function markdownOf(text: string): PlainMarkdown {
  return new MarkdownString(markdownText(text)) as PlainMarkdown;
}

/** A model's words, of which code, bold words and lists are drawn. */
export function proseOf(text: string): PlainMarkdown {
  return new MarkdownString(proseMarkdown(text)) as PlainMarkdown;
}

/** A text, and lines of code under it, which are shown as they are. */
export function markdownWithCode(text: string, code: string, languageId?: string): PlainMarkdown {
  return markdownOf(text).appendCodeblock(showUnseen(code), languageId) as PlainMarkdown;
}

/** What VS Code shows over a place of a document. */
export function hoverOf(text: PlainMarkdown, range: Range): Hover {
  return new Hover(text, range);
}

/** An entry of the quick-fix menu, which runs a command. @param diagnostics the problems that it is for */
export function quickFix(
  title: string,
  command: string,
  args: readonly unknown[],
  diagnostics: readonly Diagnostic[],
): CodeAction {
  const action = new CodeAction(plain(title), CodeActionKind.QuickFix);
  action.command = { title: plain(title), command, arguments: [...args] };
  action.diagnostics = [...diagnostics];
  return action;
}

/** A button above a line. */
export function codeLens(
  range: Range,
  icon: string,
  title: string,
  command: string,
  args: readonly unknown[] = [],
): CodeLens {
  // VS Code draws nothing for a usual space between an icon and what follows.
  const shown = withIcon(icon, title).replace(') ', ')\u00a0') as PlainText;
  return new CodeLens(range, { title: shown, command, arguments: [...args] });
}

import { TabInputText, type Uri } from 'vscode';
import { window } from '../../../editor/text/window.ts';

/** Limit of open files: further ones say little about the user's current work. */
const mostOpen = 50;

/** Absolute paths of the open files: the active editor's, the visible ones, those behind other tabs. */
export function openFiles(): string[] {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  const uris: (Uri | undefined)[] = [
    window.activeTextEditor?.document.uri,
    ...window.visibleTextEditors.map((editor) => editor.document.uri),
    ...tabs.map((input) => (input instanceof TabInputText ? input.uri : undefined)),
  ];
  const paths = uris.flatMap((uri) => (uri?.scheme === 'file' ? [uri.fsPath] : []));
  return [...new Set(paths)].slice(0, mostOpen);
}

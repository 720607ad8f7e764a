import { basename } from 'node:path';
import { l10n, type Tab, TabInputText, TabInputTextDiff, type Uri, ViewColumn } from 'vscode';
import { plain } from '../../editor/text/plainText.ts';
import { window } from '../../editor/text/window.ts';
import { type Proposal, proposalScheme } from './proposal.ts';

/** The command that opens the proposal in VS Code's own diff editor, beside the document, which keeps the focus. */
export function diffCommand({ lines, uri }: Proposal) {
  const name = basename(lines.document.uri.path);
  const options = { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true };
  return ['vscode.diff', lines.document.uri, uri, plain(l10n.t('{0} (Proposed Edit)', name)), options] as const;
}

/** Whether a tab shows the document or its diff. */
export function isOpen({ lines, uri }: Proposal): boolean {
  return allTabs().some(({ input }) => {
    if (input instanceof TabInputText) return isSame(input.uri, lines.document.uri);
    return input instanceof TabInputTextDiff && isSame(input.modified, uri);
  });
}

/** Closes the diff editor of a proposal, or those of all. */
export async function closeDiffs(uri?: Uri): Promise<void> {
  const tabs = allTabs().filter(
    ({ input }) =>
      input instanceof TabInputTextDiff &&
      input.modified.scheme === proposalScheme &&
      (uri === undefined || isSame(input.modified, uri)),
  );
  if (tabs.length > 0) await window.tabGroups.close(tabs);
}

function allTabs(): Tab[] {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

export function isSame(a: Uri, b: Uri): boolean {
  return a.toString() === b.toString();
}

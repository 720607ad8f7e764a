import { commands, TabInputText, type Uri, type ViewColumn, window } from 'vscode';

/** Closes all editors; VS Code would ask about a changed one, also about one behind another. */
export async function closeEditors(): Promise<void> {
  for (let tab = dirtyTab(); tab !== undefined; tab = dirtyTab()) {
    await window.showTextDocument(tab.uri, { viewColumn: tab.viewColumn, preserveFocus: false });
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  while (window.activeTextEditor?.document.isDirty) {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await commands.executeCommand('workbench.action.closeAllEditors');
}

function dirtyTab(): { readonly uri: Uri; readonly viewColumn: ViewColumn } | undefined {
  for (const { tabs, viewColumn } of window.tabGroups.all)
    for (const { isDirty, input } of tabs)
      if (isDirty && input instanceof TabInputText) return { uri: input.uri, viewColumn };
  return undefined;
}

import { basename } from 'node:path';
import { l10n, TabInputText, workspace } from 'vscode';
import { window } from '../text/window.ts';

/** VS Code hands no larger file to extensions, in bytes: to them, no editor is open. */
const largestSeen = 50 * 1024 * 1024;

/** Why there is no active editor though a file is shown: it is too large. Undefined where none is shown, or it is small enough. */
export async function unseenFileText(): Promise<string | undefined> {
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  if (window.activeTextEditor !== undefined || !(input instanceof TabInputText)) return undefined;
  const found = await workspace.fs.stat(input.uri).then(
    ({ size }) => size,
    () => 0,
  );
  if (found <= largestSeen) return undefined;
  const name = basename(input.uri.path);
  return l10n.t(
    '{0} is larger than 50 MB: VS Code hands no such file to extensions. Copy the lines you mean into a new file.',
    name,
  );
}

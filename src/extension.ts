import { existsSync } from 'node:fs';
import type { ExtensionContext } from 'vscode';
import type { Closing } from './editor/services.ts';
import { showChatEntry } from './start/chatEntry.ts';
import { registerByIds } from './start/firstUse.ts';

/** The key under which the state of a workspace has that Parley was used in it. */
const usedKey = 'parley.used';

/** The tasks for closing, of the one time that VS Code activates Parley. */
let closing: Closing | undefined;

/**
 * Registers what VS Code shows by its ids alone; the code behind it is loaded with the first use. In a workspace where
 * Parley was used before, it is loaded now: an index may be out of date, or changes wait for a decision.
 */
export async function activate(context: ExtensionContext): Promise<void> {
  const wasUsed = isUsed(context);
  context.subscriptions.push(showChatEntry());
  const load = registerByIds(context, async () => {
    const { startFeatures } = await import('./start/features.ts');
    return (give) => {
      closing = startFeatures(context, give);
      if (!wasUsed) void context.workspaceState.update(usedKey, true);
    };
  });
  if (wasUsed) await load();
}

/** A folder for the workspace is there also where only version 0.9.0 or older was, which made it and no mark. */
const isUsed = ({ workspaceState, storageUri }: ExtensionContext): boolean =>
  workspaceState.get(usedKey) === true || (storageUri !== undefined && existsSync(storageUri.fsPath));

/** Finishes all tasks; VS Code waits for this before it ends the extension host. */
export function deactivate(): Promise<void> | undefined {
  return closing?.run();
}

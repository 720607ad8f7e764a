import { commands } from 'vscode';
import type { ContextKeyId } from '../ids.ts';

/** Sets a context key, on which menus and welcome views depend. */
export async function setContext(key: ContextKeyId, value: boolean): Promise<void> {
  await commands.executeCommand('setContext', key, value);
}

import { commands, type Uri } from 'vscode';
import type { ContextKeyId } from '../ids/ids.ts';

/** Sets a context key, on which menus and welcome views depend. Of a list of URIs, `in` finds one. */
export async function setContext(key: ContextKeyId, value: boolean | readonly Uri[]): Promise<void> {
  await commands.executeCommand('setContext', key, value);
}

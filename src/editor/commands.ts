import { commands, type Disposable } from 'vscode';
import type { CommandId } from '../ids/ids.ts';
import type { Notices } from './notices.ts';

/**
 * Registers a command for a person: its failure becomes one sentence with one action, and the command resolves to
 * undefined. A command that other extensions call with arguments has to reject, and registers itself.
 */
export function registerCommand(id: CommandId, notices: Notices, run: (...args: unknown[]) => unknown): Disposable {
  return commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (error) {
      // The notice is not awaited: it stays until the user closes it, and the command must not stay pending with it.
      void notices.error(error, () => commands.executeCommand(id, ...args));
      return undefined;
    }
  });
}

import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { openSharedValue, type SharedValue } from '../editor/files/sharedValue.ts';
import type { MemoryStore } from '../service/compat/fieldMemory.ts';

/**
 * What was learned of services, in a file that all windows share. Up to version 0.13 it was in VS Code's `globalState`, from which it is
 * taken over once.
 */
export function createLearnedStore(
  { globalState, globalStorageUri }: Pick<ExtensionContext, 'globalState' | 'globalStorageUri'>,
  onError: (error: unknown) => void,
): MemoryStore {
  const files = new Map<string, SharedValue>();

  const fileOf = (key: string): SharedValue => {
    const path = join(globalStorageUri.fsPath, `${key}.json`);
    const file = files.get(key) ?? openSharedValue(path, globalState.get(key), onError);
    files.set(key, file);
    return file;
  };

  async function change(key: string, to: (before: unknown) => unknown): Promise<void> {
    await fileOf(key).change(to);
    if (globalState.get(key) !== undefined) await globalState.update(key, undefined);
  }

  return {
    get: (key) => fileOf(key).current,
    set: (key, value) => void change(key, () => value),
    change: (key, to) => void change(key, to),
  };
}

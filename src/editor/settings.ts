import { ConfigurationTarget, type Disposable, workspace } from 'vscode';
import type { SettingId, SettingTypes } from '../ids.ts';

/** The value of a setting. All are of `machine` scope: what a workspace writes is never seen here. */
export function readSetting<K extends SettingId>(id: K): SettingTypes[K] {
  return workspace.getConfiguration().get(id) as SettingTypes[K];
}

/** Writes a setting where the user's own settings for this machine are. */
export async function writeSetting<K extends SettingId>(id: K, value: SettingTypes[K]): Promise<void> {
  await workspace.getConfiguration().update(id, value, ConfigurationTarget.Global);
}

export function onSettingChange(ids: readonly SettingId[], listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (ids.some((id) => change.affectsConfiguration(id))) listener();
  });
}

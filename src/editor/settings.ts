import { ConfigurationTarget, type Disposable, workspace } from 'vscode';
import type { SettingId, SettingTypes } from '../ids/settingIds.ts';

/** The value of a setting. All are of `machine` scope: values that a workspace writes are never seen here. */
export function readSetting<K extends SettingId>(id: K): SettingTypes[K] {
  return workspace.getConfiguration().get(id) as SettingTypes[K];
}

/** Whether the user has set a setting, be it to its default. */
export function isSettingSet(id: SettingId): boolean {
  const { globalValue, workspaceValue } = workspace.getConfiguration().inspect(id) ?? {};
  return globalValue !== undefined || workspaceValue !== undefined;
}

/** The longest answer, in characters. The value in the settings file may be anything. */
export function longestAnswer(): number {
  const megabytes = Number(readSetting('parley.chat.maxAnswerSize'));
  return 2 ** 20 * (megabytes >= 0.1 && megabytes <= 16 ? megabytes : 16);
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

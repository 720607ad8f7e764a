/** Keys as a person enters and removes them. */
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { inputBox, notification, press, visible } from './hands.ts';
import { until } from './until.ts';

/** Answers the question for a key. */
export async function enterKey(key: string): Promise<void> {
  await until('the key is asked for in a password box', () => inputBox.isPassword());
  await inputBox.enter(key);
}

/** Removes every stored key; of several, Parley asks which. */
export async function removeKeys(): Promise<void> {
  await notification.clear();
  do {
    let removed = false;
    const removing = Promise.resolve(commands.executeCommand(Command.removeApiKey)).then(() => {
      removed = true;
    });
    const asks = (): Promise<boolean> => visible('.quick-input-list .monaco-list-row.focused');
    await until('a key is removed, or asked for', async () => removed || (await asks()));
    if (!removed) await press('Enter');
    await removing;
  } while (!(await notification.texts()).includes('No API key is stored.'));
  await notification.clear();
}

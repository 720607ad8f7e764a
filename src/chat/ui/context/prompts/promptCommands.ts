import { commands, type Disposable, env, l10n, UIKind, Uri } from 'vscode';
import { makeFolder } from '../../../../base/privateFiles.ts';
import { registerCommand } from '../../../../editor/commands.ts';
import { Disposables } from '../../../../editor/disposables.ts';
import { askFolder, isThere, writeFile } from '../../../../editor/files/userOrWorkspace.ts';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';
import { Command } from '../../../../ids/ids.ts';
import { promptName } from '../../../prompts/promptFile.ts';
import { workspacePromptFolder } from './promptFiles.ts';

/** The commands that make a prompt, and that lead to those of the user. @param userFolder made when it is first needed */
export function registerPromptCommands(notices: Notices, userFolder: Uri): Disposable {
  const owned = new Disposables();
  owned.add(
    registerCommand(Command.promptsNew, notices, async () => {
      const places = { userFolder, workspacePath: workspacePromptFolder };
      const texts = { title: l10n.t('New Prompt'), placeHolder: l10n.t('Who the prompt is for') };
      const folder = await askFolder(places, texts);
      const name = folder && (await askName());
      if (name === undefined) return;
      const uri = Uri.joinPath(folder as Uri, `${name}.md`);
      // One that is there is opened.
      if (!(await isThere(uri))) await writeFile(uri, places, newPrompt(name));
      await window.showTextDocument(uri, { preview: false });
    }),
  );
  owned.add(
    registerCommand(Command.promptsOpenFolder, notices, async () => {
      await makeFolder(userFolder.fsPath);
      // Where VS Code runs on another machine, no window of the system shows the folder.
      if (env.remoteName === undefined && env.uiKind === UIKind.Desktop) {
        return commands.executeCommand('revealFileInOS', userFolder);
      }
      const [chosen] = (await window.showOpenDialog({ defaultUri: userFolder, title: l10n.t('My Prompts') })) ?? [];
      return chosen && window.showTextDocument(chosen);
    }),
  );
  return owned;
}

/** Asks for a name as it is typed after the slash. */
async function askName(): Promise<string | undefined> {
  const read = (text: string): string | undefined => promptName(`${text.trim().replace(/^\//, '')}.md`);
  const text = await window.showInputBox({
    title: l10n.t('New Prompt'),
    prompt: l10n.t('Its name: “review” is used as “/review”'),
    validateInput: (typed) => {
      const name = read(typed);
      if (name === undefined) return l10n.t('Letters or digits, at most 64');
      return undefined;
    },
  });
  return text === undefined ? undefined : read(text);
}

function newPrompt(name: string): string {
  return [
    '---',
    `description: ${l10n.t('What this prompt does')}`,
    '---',
    '',
    l10n.t('Write here what “/{0}” asks. What you type after the name stands here: {1}', name, '{{input}}'),
    '',
    '{{selection}}',
    '',
  ].join('\n');
}

import { l10n, languages, workspace } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';

/** Puts code in the place of the selection of the editor that was last active. One undo takes it back. */
export async function insertAtCursor(code: string, notices: Notices): Promise<void> {
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (editor === undefined) {
    return notices.warn(l10n.t('No editor is open to insert into.'), {
      title: l10n.t('New File'),
      command: 'workbench.action.files.newUntitledFile',
    });
  }
  const done = await editor.edit((edit) => edit.replace(editor.selection, code));
  if (!done) return notices.warn(l10n.t('This editor cannot be written to.'));
  await window.showTextDocument(editor.document, editor.viewColumn);
}

/** Opens code in a new document, which is saved where the user wants, or nowhere. */
export async function openAsNewFile(code: string, language: string): Promise<void> {
  const id = languageIdOf(language, await languages.getLanguages());
  // Without a language, VS Code tells it from the text.
  const document = await workspace.openTextDocument({ content: code, ...(id !== undefined && { language: id }) });
  await window.showTextDocument(document, { preview: false });
}

/** Names that models write behind a fence, and the languages of VS Code that they stand for. */
const ids: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescriptreact', js: 'javascript', mjs: 'javascript', jsx: 'javascriptreact' },
  ...{ py: 'python', rb: 'ruby', rs: 'rust', golang: 'go', kt: 'kotlin', cs: 'csharp', 'c#': 'csharp', 'c++': 'cpp' },
  ...{ sh: 'shellscript', bash: 'shellscript', zsh: 'shellscript', shell: 'shellscript', console: 'shellscript' },
  ...{ ps1: 'powershell', pwsh: 'powershell', cmd: 'bat', batch: 'bat', md: 'markdown', yml: 'yaml', tex: 'latex' },
  ...{ docker: 'dockerfile', make: 'makefile', objc: 'objective-c', htm: 'html', text: 'plaintext', txt: 'plaintext' },
};

/** The language id for what a model wrote behind a fence; undefined for none that VS Code knows. */
function languageIdOf(written: string, known: readonly string[]): string | undefined {
  const name = written.toLowerCase();
  const id = Object.hasOwn(ids, name) ? ids[name] : name;
  return id !== undefined && known.includes(id) ? id : undefined;
}

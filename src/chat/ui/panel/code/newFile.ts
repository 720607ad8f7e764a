import { languages, workspace } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import { languageIdOf } from './languageId.ts';

/** Opens code in a new document, which is saved where the user wants, or nowhere. */
export async function openAsNewFile(code: string, language: string): Promise<void> {
  const id = languageIdOf(language, await languages.getLanguages());
  // Without a language, VS Code tells it from the text.
  const document = await workspace.openTextDocument({ content: code, ...(id !== undefined && { language: id }) });
  await window.showTextDocument(document, { preview: false });
}

import { type TextDocument, type Uri, workspace } from 'vscode';
import { editorName } from '../../base/encoding/codePages.ts';
import { encodingOf } from '../../base/encoding/decode.ts';
import { readEncodingSetting } from './readEncodingRules.ts';

/**
 * The document of a file, in the file's own encoding.
 * @throws as VS Code does, where it has none
 */
export async function openDocument(uri: Uri): Promise<TextDocument> {
  return inOwnEncoding(await workspace.openTextDocument(uri));
}

/**
 * A document whose file is no UTF-8, and was opened as such by VS Code's default, is opened anew as what the file is: what VS Code could not
 * read is U+FFFD, which no answer means, and which would be written over the file with the next save. One with edits stays as it is.
 */
export async function inOwnEncoding(document: TextDocument): Promise<TextDocument> {
  const { uri, isDirty, isUntitled, encoding } = document;
  if (isDirty || isUntitled || encoding !== 'utf8' || !document.getText().includes('\ufffd')) return document;
  if (workspace.fs.isWritableFileSystem(uri.scheme) === undefined) return document;
  try {
    const own = encodingOf(await workspace.fs.readFile(uri), readEncodingSetting(uri));
    const name = own === undefined ? undefined : editorName(own);
    return name === undefined ? document : await workspace.openTextDocument(uri, { encoding: name });
  } catch {
    // It has edits by now, or is gone.
    return document;
  }
}

import { commands, type Disposable, languages, Range, Uri, workspace } from 'vscode';
import { splitLines } from '../../../base/lines.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { createTextTabs } from '../../../editor/text/textTabs.ts';
import { window } from '../../../editor/text/window.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { ImageStore } from '../../history/imageStore.ts';

/** The scheme of documents with what went along with a question. */
const attachmentScheme = 'parley-attachment';

/** Opens what is or was attached: a file at its lines, where they are what they were, else the text that went along. */
export interface AttachmentViewer extends Disposable {
  open(attachment: Attachment): Promise<void>;
}

export function createAttachmentViewer(store: ImageStore): AttachmentViewer {
  const tabs = createTextTabs(attachmentScheme);

  async function openText({ id, label, languageId, text }: Attachment): Promise<void> {
    const name = plain(label).replaceAll('/', '∕');
    const document = await workspace.openTextDocument(tabs.keep(name, id, text));
    // A model's word for a language, or the end of a file's name, may be none that VS Code knows.
    if (languageId !== '' && (await languages.getLanguages()).includes(languageId))
      await languages.setTextDocumentLanguage(document, languageId);
    await window.showTextDocument(document, { preview: true });
  }

  async function openImage({ path, image }: Attachment): Promise<void> {
    const kept = image?.original === undefined ? undefined : store.find(image.original);
    const file = path === '' ? undefined : await findPlace(path);
    const original = file ?? (kept === undefined ? undefined : Uri.file(kept));
    if (original !== undefined) return commands.executeCommand('vscode.open', original);
    // What was sent stays in the conversation.
    const name = image && (await store.keep(Buffer.from(image.data, 'base64'), image.type));
    const sent = name && store.find(name);
    if (sent) await commands.executeCommand('vscode.open', Uri.file(sent));
  }

  return {
    async open(attachment) {
      if (attachment.image !== undefined) return openImage(attachment);
      const isPiece = attachment.kind === undefined || attachment.kind === 'file';
      const uri = isPiece ? await findPlace(attachment.path) : undefined;
      const range = uri && (await unchangedRange(uri, attachment));
      if (uri === undefined || range === undefined) return openText(attachment);
      await window.showTextDocument(uri, { preview: true, selection: range });
    },
    dispose: () => tabs.dispose(),
  };
}

/** Where the lines stand that were attached; undefined when they are others by now. */
async function unchangedRange(uri: Uri, { range, text }: Attachment): Promise<Range | undefined> {
  const document = await workspace.openTextDocument(uri).then(undefined, () => undefined);
  if (document === undefined || range.endLine > document.lineCount) return undefined;
  const lines = new Range(range.startLine - 1, 0, range.endLine - 1, document.lineAt(range.endLine - 1).text.length);
  const [now, then] = [splitLines(document.getText(lines)).join('\n'), splitLines(text).join('\n').replace(/\n$/, '')];
  return now.includes(then) ? lines : undefined;
}

/** The file that a path names: below a folder of the workspace (which it begins with where there are several), or anywhere. */
async function findPlace(path: string): Promise<Uri | undefined> {
  const open = workspace.textDocuments.find(({ uri }) => workspace.asRelativePath(uri) === path);
  if (open !== undefined && open.uri.scheme !== attachmentScheme) return open.uri;
  if (path.split(/[/\\]/).includes('..')) return undefined;
  const folders = workspace.workspaceFolders ?? [];
  const places = folders.flatMap(({ uri, name }) => [
    Uri.joinPath(uri, path),
    ...(path.startsWith(`${name}/`) ? [Uri.joinPath(uri, path.slice(name.length + 1))] : []),
  ]);
  for (const place of [...places, ...(path.startsWith('/') || /^[a-z]:[\\/]/i.test(path) ? [Uri.file(path)] : [])]) {
    if (await exists(place)) return place;
  }
  return undefined;
}

const exists = (uri: Uri): Promise<boolean> =>
  Promise.resolve(workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

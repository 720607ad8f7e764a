import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { type FileStat, FileType, l10n, type Range, type TextDocument, Uri, workspace } from 'vscode';
import { inOwnEncoding, openDocument } from '../../../editor/files/openDocument.ts';
import type { Notices } from '../../../editor/notices.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { attachmentLimits } from '../../context/attachmentLimits.ts';
import { folderListing } from '../../context/folderListing.ts';
import { type Attachment, namedAttachment } from '../../conversation/attachment.ts';
import { attachDocument, attachRange } from './attach.ts';
import { type Attachments, tooLargeText } from './attachments.ts';
import { confirmSecret } from './confirmSecret.ts';

/** Adds what a user chose to the next question, and asks or refuses where that has to be. One sentence says what was not added. */
export interface ContextAdder {
  /** Files, as they are in their editors, and folders, as listings. */
  addFiles(uris: readonly Uri[]): Promise<void>;
  /** Whole lines of a file. @param label in the place of `name:lines` */
  addLines(uri: Uri, range: Range, label?: string): Promise<void>;
  /** A text that is no piece of a file. */
  addText(piece: Parameters<typeof namedAttachment>[0]): Promise<void>;
}

/** What a context adder works with. */
export interface AdderParts {
  readonly attachments: Attachments;
  readonly files: WorkspaceFiles;
  readonly notices: Notices;
  /** Adds an image from the disk. */
  readonly addImage: (uri: Uri) => Promise<void>;
}

/** Files that are seen, not read. */
const imageNames = /\.(png|jpe?g|gif|webp|bmp|avif)$/i;

export function createContextAdder({ attachments, files, notices, addImage }: AdderParts): ContextAdder {
  const refuse = (sentence: string): void => void notices.warn(sentence);

  /** The document, if it may go along: what it holds was agreed to. Else it was said why not. */
  async function open(uri: Uri): Promise<TextDocument | undefined> {
    const found = await readable(uri, files);
    if (typeof found === 'string') refuse(found);
    return typeof found === 'string' ? undefined : found;
  }

  async function addFile(uri: Uri): Promise<void> {
    if (imageNames.test(uri.path)) return addImage(uri);
    const stat = await statOf(uri);
    if (stat !== undefined && (stat.type & FileType.Directory) !== 0) return addFolder(uri);
    const document = await open(uri);
    if (document === undefined) return;
    if (document.getText() === '') refuse(l10n.t('{0} was not attached: it is empty.', nameOf(uri)));
    else attachments.add(attachDocument(document));
  }

  async function addFolder(uri: Uri): Promise<void> {
    const path = workspace.asRelativePath(uri, false);
    const folder = workspace.getWorkspaceFolder(uri);
    const text = folder === undefined ? await entriesOf(uri) : await listed(folder.uri, uri);
    if (text === '') return refuse(l10n.t('{0} was not attached: no files are listed in it.', nameOf(uri)));
    attachments.add(
      namedAttachment(
        { kind: 'folder', label: `${nameOf(uri)}/`, path: `${path}/`, languageId: '', text },
        randomUUID(),
      ),
    );
  }

  /** The files below a folder that no ignore rule names. In an untrusted workspace git is not asked, and the folder alone is read. */
  async function listed(root: Uri, uri: Uri): Promise<string> {
    const all = (await files.list(new AbortController().signal)).filter((file) => file.root === root.fsPath);
    if (all.length === 0) return entriesOf(uri);
    return folderListing(
      all.map(({ path }) => path),
      uri.path.slice(root.path.length).replace(/^\/|\/$/g, ''),
    );
  }

  return {
    async addFiles(uris) {
      const work = (async () => {
        for (const uri of uris.slice(0, attachmentLimits.count)) await addFile(uri);
      })();
      attachments.adding(work);
      await work;
    },
    async addLines(uri, range, label) {
      const work = open(uri).then((document) => {
        if (document === undefined) return;
        const last = document.lineAt(Math.min(range.end.line, document.lineCount - 1));
        const lines = range.with(range.start.with({ character: 0 }), last.range.end);
        const attachment: Attachment = attachRange(document, document.validateRange(lines));
        attachments.add(label === undefined ? attachment : { ...attachment, label });
      });
      attachments.adding(work);
      await work;
    },
    async addText(piece) {
      const work = (async () => {
        if (piece.text.includes('\0')) return refuse(notTextText(piece.label));
        if (piece.text.length > attachmentLimits.each) return refuse(tooLargeText(piece.label, attachmentLimits.each));
        if (!(await confirmSecret(files, piece.label, '', piece.text))) return;
        attachments.add(namedAttachment(piece, randomUUID()));
      })();
      attachments.adding(work);
      await work;
    },
  };
}

/** @returns the document, or the sentence why it is not attached; undefined where the user wants it to stay */
async function readable(uri: Uri, files: WorkspaceFiles): Promise<TextDocument | string | undefined> {
  const name = nameOf(uri);
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const stat = await statOf(uri);
  if (stat === undefined && open === undefined) return l10n.t('{0} was not attached: it cannot be read.', name);
  if ((stat?.size ?? 0) > attachmentLimits.each) return tooLargeText(name, attachmentLimits.each);
  const path = workspace.asRelativePath(uri);
  const isSecret = files.isSecretName(path);
  if (isSecret && !(await confirmSecret(files, name, path, undefined))) return undefined;
  const document = await (open === undefined ? openDocument(uri) : inOwnEncoding(open)).catch(() => undefined);
  const text = document?.getText();
  // An editor opens some files that are no text.
  if (document === undefined || text === undefined || text.includes('\0')) return notTextText(name);
  return isSecret || (await confirmSecret(files, name, '', text)) ? document : undefined;
}

const notTextText = (name: string): string => l10n.t('{0} was not attached: it is not text, or too large.', name);

const nameOf = ({ path }: Uri): string => posix.basename(path);

const statOf = (uri: Uri): Promise<FileStat | undefined> =>
  Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined);

/** The names in one folder. */
async function entriesOf(uri: Uri): Promise<string> {
  const entries = await workspace.fs.readDirectory(uri).then(undefined, () => []);
  return folderListing(
    entries.map(([name, type]) => ((type & FileType.Directory) !== 0 ? `${name}/` : name)),
    '',
  );
}

/** The place of a file of the workspace. */
export function uriOfFile({ root, path }: { readonly root: string; readonly path: string }): Uri {
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === root);
  return Uri.joinPath(folder?.uri ?? Uri.file(root), path);
}

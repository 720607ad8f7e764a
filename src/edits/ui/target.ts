import { FilePermission, languages, type NotebookDocument, type TextDocument, Uri, workspace } from 'vscode';
import { type LineRange, widenToLines } from '../../base/lines.ts';
import { inOwnEncoding, openDocument } from '../../editor/files/openDocument.ts';
import { window } from '../../editor/text/window.ts';

/** The argument of `Edit With Instruction`. Without lines it means the selection of the active editor. */
export interface EditRequest {
  /** The instruction; asked for when absent. */
  instruction?: string;
  uri?: Uri;
  lines?: LineRange;
}

/** The argument of the command, which may be anything; a member of the wrong form counts as absent. */
export function readRequest(argument: unknown): EditRequest {
  if (typeof argument !== 'object' || argument === null) return {};
  const { instruction, uri, lines } = argument as { [member in keyof EditRequest]?: unknown };
  return {
    ...(typeof instruction === 'string' && instruction.trim() !== '' ? { instruction } : {}),
    ...(uri instanceof Uri && isLineRange(lines) ? { uri, lines } : {}),
  };
}

function isLineRange(value: unknown): value is LineRange {
  if (typeof value !== 'object' || value === null || !('first' in value && 'last' in value)) return false;
  const { first, last } = value;
  return Number.isInteger(first) && Number.isInteger(last) && Number(first) >= 0 && Number(last) >= Number(first);
}

/** The lines and the document to edit; `empty` has the line of the cursor, in case that line is meant. */
export type Target =
  | { kind: 'lines'; document: TextDocument; lines: LineRange }
  | { kind: 'empty'; document: TextDocument; lines: LineRange }
  | { kind: 'none' };

export async function findTarget({ uri, lines }: EditRequest): Promise<Target> {
  if (uri !== undefined && lines !== undefined) {
    const document = await openDocument(uri);
    await window.showTextDocument(document);
    const end = document.lineCount - 1;
    return { kind: 'lines', document, lines: { first: Math.min(lines.first, end), last: Math.min(lines.last, end) } };
  }
  const editor = window.activeTextEditor;
  if (editor === undefined) return { kind: 'none' };
  const document = await inOwnEncoding(editor.document);
  const { selection } = editor;
  const widened = widenToLines(selection.start, selection.end);
  return { kind: selection.isEmpty ? 'empty' : 'lines', document, lines: widened };
}

/** The scheme of the cells of notebooks. Which cell is meant stands in the fragment: a number that is another after a reload. */
export const cellScheme = 'vscode-notebook-cell';

/** The notebook that is open and has a document as a cell. */
function notebookOf(document: TextDocument): NotebookDocument | undefined {
  return workspace.notebookDocuments.find((each) => each.getCells().some((cell) => cell.document === document));
}

/** Whether a document can only be read, as far as VS Code tells extensions. A cell can be edited where its notebook can. */
export async function isReadOnly(document: TextDocument): Promise<boolean> {
  const { uri, isUntitled } = document.uri.scheme === cellScheme ? (notebookOf(document) ?? document) : document;
  if (isUntitled) return false;
  if (workspace.fs.isWritableFileSystem(uri.scheme) !== true) return true;
  if (isListed(document, 'readonlyInclude') && !isListed(document, 'readonlyExclude')) return true;
  try {
    const { permissions = 0 } = await workspace.fs.stat(uri);
    return (permissions & FilePermission.Readonly) !== 0;
  } catch {
    // A file that is gone can still be edited, and saved anew.
    return false;
  }
}

/** Whether the user's setting lists the file, by one of its globs. */
function isListed(document: TextDocument, name: 'readonlyInclude' | 'readonlyExclude'): boolean {
  const globs = workspace.getConfiguration('files', document.uri).get<Record<string, boolean>>(name, {});
  return Object.entries(globs).some(([pattern, isOn]) => isOn === true && languages.match({ pattern }, document) > 0);
}

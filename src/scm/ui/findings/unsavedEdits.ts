import { type Disposable, type TextDocument, type TextDocumentContentChangeEvent, type Uri, workspace } from 'vscode';
import { splitLines, type TextChange } from '../../../base/lines.ts';
import { lineChanges } from '../../findings/lineChanges.ts';

/** The edits that move lines in documents, from the files on the disk on: those that were not saved at first, and all since. */
export interface UnsavedEdits extends Disposable {
  /** Each for the text that those before it have left. */
  of(uri: Uri): readonly TextChange[];
}

/** Begins to follow; what is read from the disk as soon as this resolves has none of the edits. */
export async function followUnsaved(): Promise<UnsavedEdits> {
  const edits = new Map<string, readonly TextChange[]>();
  const of = (uri: Uri): readonly TextChange[] => edits.get(uri.toString()) ?? [];
  const listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const changes = movesOf(contentChanges);
    if (changes.length > 0) edits.set(document.uri.toString(), [...of(document.uri), ...changes]);
  });
  const dirty = workspace.textDocuments.filter(({ isDirty, isUntitled }) => isDirty && !isUntitled);
  const shown = dirty.map((document) => ({ document, lines: splitLines(document.getText()) }));
  for (const { document, lines } of shown) {
    const saved = await savedLines(document);
    if (saved !== undefined) edits.set(document.uri.toString(), [...lineChanges(saved, lines), ...of(document.uri)]);
  }
  return { of, dispose: () => listening.dispose() };
}

/** The lines of a document's file; undefined where there is none that can be read. */
async function savedLines({ uri, encoding }: TextDocument): Promise<string[] | undefined> {
  try {
    return splitLines(await workspace.decode(await workspace.fs.readFile(uri), { encoding }));
  } catch {
    return undefined;
  }
}

/** Edits as far as lines move by them: of a long text that was pasted, its line breaks are kept. */
export function movesOf(changes: readonly TextDocumentContentChangeEvent[]): TextChange[] {
  return changes
    .filter(({ range, text }) => range.start.line !== range.end.line || /[\r\n]/.test(text))
    .map(({ range: { start, end }, text }) => ({ start, end, text: text.replace(/[^\r\n]+/g, '-') }));
}

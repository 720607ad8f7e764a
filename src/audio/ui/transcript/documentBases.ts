import { type Disposable, type TextDocument, type Uri, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { TranscriptTexts } from '../../transcript/transcript.ts';

/** What the documents that are open were made from: what is saved is merged with what became of that. */
export interface DocumentBases extends Disposable {
  /** A file was read. Whether a document has its text by now is found out: VS Code reads it to compare it, too. */
  wasRead(uri: Uri, texts: TranscriptTexts, content: string): void;
  /** A document was saved: what is typed from now on was made from what it says. */
  wasSaved(uri: Uri, texts: TranscriptTexts, content: string): void;
  /** Undefined where it is not known, as for a document with edits from before a reload of the window. */
  get(uri: Uri): TranscriptTexts | undefined;
}

interface Read {
  readonly texts: TranscriptTexts;
  readonly content: string;
}

/** Files that are read and whose documents are not told yet; there is one, or a few. */
const mostReads = 20;

export function createDocumentBases(): DocumentBases {
  const owned = new Disposables();
  const reads = new Map<string, Read>();
  const bases = new Map<string, TranscriptTexts>();

  /** A document without edits that has the text that was read was made from it. */
  function settle(document: TextDocument): void {
    const key = String(document.uri);
    const read = reads.get(key);
    if (read !== undefined && !document.isDirty && document.getText() === read.content) bases.set(key, read.texts);
  }

  function keep(uri: Uri, read: Read): void {
    const key = String(uri);
    reads.delete(key);
    reads.set(key, read);
    const [oldest] = reads.keys();
    if (reads.size > mostReads && oldest !== undefined) reads.delete(oldest);
  }

  owned.add(workspace.onDidOpenTextDocument(settle));
  owned.add(workspace.onDidChangeTextDocument(({ document }) => settle(document)));
  owned.add(workspace.onDidCloseTextDocument(({ uri }) => bases.delete(String(uri))));
  return {
    wasRead: (uri, texts, content) => keep(uri, { texts, content }),
    wasSaved(uri, texts, content) {
      keep(uri, { texts, content });
      bases.set(String(uri), texts);
    },
    get: (uri) => bases.get(String(uri)),
    dispose: () => owned.dispose(),
  };
}

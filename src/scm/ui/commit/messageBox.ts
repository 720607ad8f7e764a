import { type Disposable, Range, type TextDocument, type Uri, WorkspaceEdit, workspace } from 'vscode';
import { createBoxJournal } from '../../commit/boxJournal.ts';
import type { GitRepository } from './gitExtension.ts';

/** A repository's box for the commit message, while a message is written into it. */
export interface MessageBox extends Disposable {
  /** What stood there before. */
  readonly former: string;
  /** Replaces the text; does nothing once the user has typed. Of texts that come quickly after each other, the last is written. */
  write(text: string): void;
  /** Resolves when the last text has been written. */
  settled(): Promise<void>;
}

/**
 * Parley writes as a person does, by edits of the box's own document, which VS Code refuses once somebody else has changed it:
 * `inputBox.value` would take the place of what was typed a moment before.
 * @param onTyped called once, when the box has a text that was not written here: from then on it is the user's
 */
export function createMessageBox({ inputBox, rootUri }: GitRepository, onTyped: () => void): MessageBox {
  const former = inputBox.value;
  const journal = createBoxJournal(former);
  let last = former;
  let wanted: string | undefined;
  let writing: Promise<void> | undefined;
  let isTyped = false;
  let canEdit = true;

  function leave(): void {
    if (isTyped) return;
    isTyped = true;
    onTyped();
  }

  const listening = workspace.onDidChangeTextDocument(({ document }) => {
    if (isBoxOf(document.uri, rootUri) && !journal.saw(document.getText())) leave();
  });

  async function put(text: string): Promise<void> {
    if (!journal.knows(inputBox.value)) return leave();
    const document = workspace.textDocuments.find(({ uri }) => isBoxOf(uri, rootUri));
    journal.wrote(text);
    if (document !== undefined && canEdit && isSameText(document.getText(), inputBox.value)) {
      const isDone = await workspace.applyEdit(editOf(document, text));
      // What the user typed was told of before that. Without it, this VS Code does not edit the box.
      if (isTyped) return;
      canEdit = isDone;
    }
    // A box that is not drawn does not follow its document; nobody types there.
    if (!isSameText(inputBox.value, text)) inputBox.value = text;
  }

  async function writeAll(): Promise<void> {
    while (wanted !== undefined && !isTyped) {
      const text = wanted;
      wanted = undefined;
      if (text !== last) await put(text);
      last = text;
    }
    writing = undefined;
  }

  return {
    former,
    write(text) {
      wanted = text;
      writing ??= writeAll();
    },
    settled: async () => writing,
    dispose: () => listening.dispose(),
  };
}

/** Whether a document is the box of the repository with that root. */
function isBoxOf({ scheme, query }: Uri, root: Uri): boolean {
  return scheme === 'vscode-scm' && new URLSearchParams(query).get('rootUri') === root.toString();
}

const isSameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');

/** Writes what is new behind what stays. */
function editOf(document: TextDocument, text: string): WorkspaceEdit {
  const now = document.getText();
  let same = 0;
  while (same < now.length && now[same] === text[same]) same++;
  // Half a character is no place for an edit.
  if (/[\uD800-\uDBFF]/.test(now[same - 1] ?? '')) same--;
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(same), document.positionAt(now.length)), text.slice(same));
  return edit;
}

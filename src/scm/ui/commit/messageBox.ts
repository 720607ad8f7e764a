import { type Disposable, type Uri, workspace } from 'vscode';
import { createBoxJournal } from '../../commit/boxJournal.ts';
import type { GitRepository } from './gitExtension.ts';

/** A repository's box for the commit message, while a message is written into it. */
export interface MessageBox extends Disposable {
  /** What stood there before. */
  readonly former: string;
  /** Replaces the text; does nothing once the user has typed. */
  write(text: string): void;
}

/** Milliseconds within which a text that was written may meet what the user types. */
const onTheWay = 1_000;

/** @param onTyped called once, when the box has a text that was not written here: from then on it is the user's */
export function createMessageBox({ inputBox, rootUri }: GitRepository, onTyped: () => void): MessageBox {
  const former = inputBox.value;
  const journal = createBoxJournal(former);
  let last = former;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let isTyped = false;
  let isDone = false;

  function leaveTo(typed: string): void {
    if (isTyped) return;
    isTyped = true;
    // A text that is on its way yet takes the place of what was typed: that is put back.
    if (journal.isWaiting && performance.now() - writtenAt < onTheWay) inputBox.value = typed;
    onTyped();
    listening.dispose();
  }

  // The box is an editor, whose changes come in order; `inputBox.value` does not tell whose a text is.
  const listening = workspace.onDidChangeTextDocument(({ document }) => {
    if (!isBoxOf(document.uri, rootUri)) return;
    const text = document.getText();
    if (!journal.saw(text)) leaveTo(text);
    else if (isDone && !journal.isWaiting) listening.dispose();
  });

  return {
    former,
    write(text) {
      if (isTyped) return;
      // What is not drawn has no editor: then git itself, or another extension, may still have changed it.
      const value = inputBox.value;
      if (!journal.knows(value)) return leaveTo(value);
      if (text === last) return;
      last = text;
      journal.wrote(text);
      writtenAt = performance.now();
      inputBox.value = text;
    },
    /** What was written last is still watched until it has arrived. */
    dispose() {
      isDone = true;
      if (!journal.isWaiting) listening.dispose();
    },
  };
}

/** Whether a document is the box of the repository with that root. */
function isBoxOf({ scheme, query }: Uri, root: Uri): boolean {
  return scheme === 'vscode-scm' && new URLSearchParams(query).get('rootUri') === root.toString();
}

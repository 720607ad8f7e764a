/** An edit of a line: its text before, and after. */
export interface TranscriptEdit {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Edits that can be taken back, and made again. */
export interface EditHistory {
  add(edit: TranscriptEdit): void;
  /** The edit to take back; undefined where there is none. Edits of lines that have another text by now are left out. */
  undo(): TranscriptEdit | undefined;
  redo(): TranscriptEdit | undefined;
}

/** Older edits are not taken back. */
const mostEdits = 1000;

/** @param textOf the text that a line has now: it may have been edited elsewhere */
export function createEditHistory(textOf: (line: number) => string | undefined): EditHistory {
  const [done, undone]: [TranscriptEdit[], TranscriptEdit[]] = [[], []];

  function take(
    from: TranscriptEdit[],
    to: TranscriptEdit[],
    expected: (edit: TranscriptEdit) => string,
  ): TranscriptEdit | undefined {
    for (let edit = from.pop(); edit !== undefined; edit = from.pop()) {
      if (textOf(edit.line) !== expected(edit)) continue;
      to.push(edit);
      return edit;
    }
    return undefined;
  }

  return {
    add(edit) {
      done.push(edit);
      if (done.length > mostEdits) done.shift();
      undone.length = 0;
    },
    undo: () => take(done, undone, ({ after }) => after),
    redo: () => take(undone, done, ({ before }) => before),
  };
}

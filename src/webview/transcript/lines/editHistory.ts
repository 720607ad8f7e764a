import type { KeptEdits, TranscriptEdit } from '../../shared/protocol/transcriptProtocol.ts';

/** Edits that can be taken back, and made again. */
export interface EditHistory {
  add(edit: TranscriptEdit): void;
  /** The edit to take back; undefined where there is none. Edits of lines that have another text by now are left out. */
  undo(): TranscriptEdit | undefined;
  redo(): TranscriptEdit | undefined;
  /** The last of them, for the page that comes after this one. */
  kept(): KeptEdits;
}

/** Older edits are not taken back. */
const mostEdits = 1000;
/** Those that are kept for another page, and the characters of their texts: VS Code has them in its own memory. */
export const mostKept = 100;
const mostCharacters = 100_000;

/** @param lineOf where the line of an edit is that has this text: lines may have come and gone elsewhere, or been edited */
export function createEditHistory(
  lineOf: (edit: TranscriptEdit, text: string) => number | undefined,
  kept?: KeptEdits,
): EditHistory {
  const [done, undone]: [TranscriptEdit[], TranscriptEdit[]] = [[...(kept?.done ?? [])], [...(kept?.undone ?? [])]];

  function take(
    from: TranscriptEdit[],
    to: TranscriptEdit[],
    expected: (edit: TranscriptEdit) => string,
  ): TranscriptEdit | undefined {
    for (let edit = from.pop(); edit !== undefined; edit = from.pop()) {
      const line = lineOf(edit, expected(edit));
      if (line === undefined) continue;
      const found = { ...edit, line };
      to.push(found);
      return found;
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
    kept: () => ({ done: lastOf(done), undone: lastOf(undone) }),
  };
}

function lastOf(edits: readonly TranscriptEdit[]): TranscriptEdit[] {
  let characters = 0;
  const last = edits.slice(-mostKept);
  const tooLong = last.findLastIndex(({ before, after }) => {
    characters += before.length + after.length;
    return characters > mostCharacters;
  });
  return last.slice(tooLong + 1);
}

import type { KeptEdits, TranscriptEdit } from '../../shared/protocol/transcriptProtocol.ts';

/** Edits that can be taken back, and made again. */
export interface EditHistory {
  /** Takes in edits that are taken back together. */
  add(edits: readonly TranscriptEdit[]): void;
  /** The edits to take back, in the order in which to do so; none where there are none. Those of lines that have another text by now are left out. */
  undo(): TranscriptEdit[];
  redo(): TranscriptEdit[];
  /** The last of them, for the page that comes after this one. */
  kept(): KeptEdits;
}

/** Older edits are not taken back. */
const mostEdits = 20_000;
/** Those that are kept for another page, and the characters of their texts: VS Code has them in its own memory. */
export const mostKept = 100;
const mostCharacters = 100_000;

/** @param lineOf where the line of an edit is that has this text: lines may have come and gone elsewhere, or been edited */
export function createEditHistory(
  lineOf: (edit: TranscriptEdit, text: string) => number | undefined,
  kept?: KeptEdits,
): EditHistory {
  const [done, undone]: [TranscriptEdit[], TranscriptEdit[]] = [[...(kept?.done ?? [])], [...(kept?.undone ?? [])]];

  /** The newest edits that belong together and of which there is one whose line is there. */
  function take(
    from: TranscriptEdit[],
    to: TranscriptEdit[],
    expected: (edit: TranscriptEdit) => string,
  ): TranscriptEdit[] {
    const found: TranscriptEdit[] = [];
    for (let edit = from.pop(); edit !== undefined; edit = from.pop()) {
      const line = lineOf(edit, expected(edit));
      if (line !== undefined) found.push({ ...edit, line });
      if (edit.isJoined || found.length === 0) continue;
      break;
    }
    to.push(...joined(found));
    return found;
  }

  return {
    add(edits) {
      done.push(...joined(edits));
      done.splice(0, done.length - mostEdits);
      undone.length = 0;
    },
    undo: () => take(done, undone, ({ after }) => after),
    redo: () => take(undone, done, ({ before }) => before),
    kept: () => ({ done: lastOf(done), undone: lastOf(undone) }),
  };
}

/** All but the first are taken back with the one before. */
function joined(edits: readonly TranscriptEdit[]): TranscriptEdit[] {
  return edits.map(({ isJoined: _, ...edit }, at) => (at === 0 ? edit : { ...edit, isJoined: true }));
}

/** The last edits, without those of which others that belong to them would be missing. */
function lastOf(edits: readonly TranscriptEdit[]): TranscriptEdit[] {
  let characters = 0;
  const last = edits.slice(-mostKept);
  const tooLong = last.findLastIndex(({ before, after }) => {
    characters += before.length + after.length;
    return characters > mostCharacters;
  });
  const fitting = last.slice(tooLong + 1);
  const first = fitting.findIndex(({ isJoined }) => isJoined !== true);
  return first < 0 ? [] : fitting.slice(first);
}

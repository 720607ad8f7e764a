import { bytesWithin } from '../../base/tokens.ts';
import { changeText, type DiffFile } from './diffFiles.ts';

/** As much of a diff as a question has room for. */
export interface FittedDiff {
  readonly text: string;
  /** How many files there was no room for at all. */
  readonly leftOut: number;
}

const bytes = (text: string): number => Buffer.byteLength(text);
const cutNote = (count: number): string => `[${count} more lines of this file are not shown]\n`;
/** What a note takes at most. */
const noteBytes = bytes(cutNote(999_999_999));

/**
 * The changes within a number of estimated tokens. All files get the same share; what small ones do not need goes to the others.
 * Of a larger one the first hunks stay, cut at a line, with a note.
 */
export function fitDiff(changes: readonly DiffFile[], tokens: number): FittedDiff {
  const limit = bytesWithin(tokens);
  const share = fairShare(
    changes.map((change) => bytes(changeText(change))),
    limit,
  );
  let used = 0;
  let leftOut = 0;
  let text = '';
  for (const change of changes) {
    const cut = cutChange(change, share);
    // A name is longer than its share where there are very many files: then the last ones have no room.
    if (used + bytes(cut) > limit) leftOut++;
    else {
      used += bytes(cut);
      text += cut;
    }
  }
  return { text, leftOut };
}

/** The most that one may have, so that all together have no more than the limit. Infinite where all fit. */
export function fairShare(sizes: readonly number[], limit: number): number {
  let rest = limit;
  let others = sizes.length;
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size * others > rest) return Math.floor(rest / others);
    rest -= size;
    others--;
  }
  return Number.POSITIVE_INFINITY;
}

/** @param share in bytes; the lines before the hunks stay, however long they are */
function cutChange(change: DiffFile, share: number): string {
  const whole = changeText(change);
  if (bytes(whole) <= share) return whole;
  const lines = change.hunks.join('').split('\n').slice(0, -1);
  let text = change.head;
  let size = bytes(text) + noteBytes;
  let shown = 0;
  for (const line of lines) {
    size += bytes(line) + 1;
    if (size > share) break;
    text += `${line}\n`;
    shown++;
  }
  return shown === lines.length ? text : text + cutNote(lines.length - shown);
}

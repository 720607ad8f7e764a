import type { LineRange } from '../../base/lines.ts';
import { splitFences } from '../../webview/shared/markdownFences.ts';
import { isBareDiff, isUnifiedDiff } from '../answer/reading/unifiedDiff.ts';
import { diffHunks } from '../diff.ts';
import type { LineEdit } from '../place/lines/lineEdit.ts';

/**
 * What can be shown of an edit while its answer still comes in: the code so far, compared with as much of the selection. Only the whole
 * answer tells what is proposed.
 * @param text of the answer, as far as it is there
 * @param lines of the document
 */
export function streamedEdits(text: string, lines: readonly string[], { first, last }: LineRange): LineEdit[] {
  // The last line is not whole yet.
  const received = text.split(/\r\n|\r|\n/).slice(0, -1);
  const fence = splitFences(received).find(({ kind }) => kind === 'fence');
  if (fence === undefined || isOtherForm(fence.lines)) return [];
  const selected = lines.slice(first, last + 1);
  const hunks = diffHunks(selected, indentedAs(selected, fence.lines));
  return hunks.flatMap(({ line, removed, inserted }) => {
    const isOpen = !fence.isClosed && line + removed.length === selected.length;
    // Of the lines that were not reached yet, as many count as gone as have come.
    const gone = isOpen ? Math.min(removed.length, inserted.length) : removed.length;
    return gone === 0 && inserted.length === 0 ? [] : [{ line: first + line, removed: gone, inserted }];
  });
}

/** Whether a block is no code that takes the place of other code, but says what to search for, or is a diff. */
function isOtherForm(lines: readonly string[]): boolean {
  return lines.some((line) => /^\s*<{5,} ?SEARCH/.test(line)) || isUnifiedDiff(lines) || isBareDiff(lines);
}

/** Some models take off the indentation that the first line of the selection has. */
function indentedAs(selected: readonly string[], received: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  const [indentation = ''] = /^[ \t]*/.exec(selected.find(isText) ?? '') ?? [];
  if (indentation === '' || !/^\S/.test(received.find(isText) ?? ' ')) return received;
  return received.map((line) => (isText(line) ? indentation + line : line));
}

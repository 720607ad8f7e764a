import type { Line } from './line.ts';
import type { LineList } from './lineList.ts';

/**
 * Copies what is selected over several lines: the texts of all of them, of which those far away are not drawn, and no times.
 * What is selected in one line, or elsewhere, is copied as ever.
 */
export function copyLines(event: ClipboardEvent, lines: readonly Line[], list: LineList): void {
  const selection = getSelection();
  const isInBox = event.target instanceof Element && event.target.matches('textarea, input');
  if (selection === null || selection.rangeCount === 0 || isInBox) return;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(list.element)) return;
  // An end outside of the lines is before or behind all of them, as when everything is selected.
  const first = list.lineOf(range.startContainer) ?? 0;
  const last = list.lineOf(range.endContainer) ?? lines.length - 1;
  if (first >= last) return;
  const texts = lines.slice(first, last + 1).map(({ text }) => text);
  texts[0] = selectedIn(range, list.drawn.get(first)) ?? texts[0] ?? '';
  texts[texts.length - 1] = selectedIn(range, list.drawn.get(last)) ?? texts.at(-1) ?? '';
  event.clipboardData?.setData('text/plain', texts.filter((text) => text !== '').join('\n'));
  event.preventDefault();
}

/** The part of a row's text that is selected; undefined where the selection has no end in it. */
function selectedIn(range: Range, row: HTMLElement | undefined): string | undefined {
  const words = row?.querySelector('.words');
  if (!words || !(words.contains(range.startContainer) || words.contains(range.endContainer))) return undefined;
  const part = document.createRange();
  part.selectNodeContents(words);
  if (words.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
  if (words.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
  return part.toString();
}

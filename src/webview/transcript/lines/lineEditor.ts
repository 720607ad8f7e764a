import { createBox } from '../../parts/box.ts';
import type { Line } from './line.ts';

/** The longest text of a line, in characters; the host refuses more. */
export const longestLine = 100_000;

/** A box that is open. */
export interface LineEditor {
  /** Ends it without a word. Gives what is written in it, and where the caret is. */
  close(): { readonly after: string; readonly caret: number };
}

/**
 * Puts a box in the place of a line's text. Enter and a click elsewhere give the text that was written, Escape gives nothing back.
 * @param caret the place in the text to write at; undefined: its end
 * @param tidy gives what was written as the line has it
 * @param done called once. `byKey`: the keyboard stays with the line
 */
export function openLineEditor(
  words: HTMLElement,
  text: string,
  label: string,
  caret: number | undefined,
  tidy: (written: string) => string,
  done: (written: string | undefined, byKey: boolean) => void,
): LineEditor {
  let isDone = false;
  const end = (written: string | undefined, byKey: boolean): void => {
    if (isDone) return;
    isDone = true;
    done(written, byKey);
  };
  const box = createBox({ label }, text, () => end(tidy(box.value), true));
  box.maxLength = longestLine;
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    end(undefined, true);
  });
  // A page that is hidden is thrown away: what was written is kept then, too.
  box.addEventListener('blur', () => end(tidy(box.value), false));
  words.replaceWith(box);
  box.focus({ preventScroll: true });
  box.setSelectionRange(caret ?? text.length, caret ?? text.length);
  return {
    close() {
      isDone = true;
      return { after: box.value, caret: box.selectionStart };
    },
  };
}

/** What was written as the line has it: one without line breaks, or a block in paragraphs. */
export function tidyFor(line: Pick<Line, 'isBlock'> | undefined): (written: string) => string {
  return line?.isBlock ? asBlock : asLine;
}

/** A block has no more than a blank line between two paragraphs. */
function asBlock(written: string): string {
  return written
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A line has no line breaks: what was pasted with some is one line. */
function asLine(written: string): string {
  return written.replace(/\s*[\n\r\u2028\u2029]+\s*/g, ' ').trim();
}

/** How far into the text of an element the selection begins, in characters; undefined where nothing of it is selected. */
export function caretIn(words: HTMLElement): number | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  if (!words.contains(startContainer)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(words);
  before.setEnd(startContainer, startOffset);
  return before.toString().length;
}

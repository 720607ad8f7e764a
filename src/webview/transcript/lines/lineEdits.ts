import type { PageContext } from '../pageContext.ts';
import { createEditHistory, type TranscriptEdit } from './editHistory.ts';
import type { Line } from './line.ts';
import { caretIn, longestLine, openLineEditor } from './lineEditor.ts';
import type { LineList } from './lineList.ts';

/** Edits of lines: made here and told to the host, or told by it. */
export interface LineEdits {
  /** Opens a box in the place of a line's text. */
  begin(line: number): void;
  /** Gives a line the text again that was translated. */
  restore(line: number): void;
  undo(): void;
  redo(): void;
  /** The host says what a line's text is now. */
  changed(line: number, text: string): void;
}

/** @param onEdit called when a line has another text */
export function createLineEdits(
  page: PageContext,
  lines: readonly Line[],
  list: LineList,
  onEdit: () => void,
): LineEdits {
  const history = createEditHistory((line) => lines[line]?.text);
  /** Texts that the host was told and has not answered, oldest first, by line. */
  const unanswered = new Map<number, string[]>();
  /** The line in whose place is a box. */
  let open: number | undefined;

  function set(number: number, text: string): void {
    const line = lines[number];
    if (line === undefined || line.text === text) return;
    line.text = text;
    if (number !== open) list.redraw(number);
    onEdit();
  }

  /** Gives a line a text, here and at the host. */
  function edit(line: number, text: string): void {
    unanswered.set(line, [...(unanswered.get(line) ?? []), text]);
    set(line, text);
    page.post({ type: 'edit', segment: line, text });
  }

  function make(line: number, text: string): void {
    const before = lines[line]?.text;
    if (before === undefined || before === text) return;
    history.add({ line, before, after: text });
    edit(line, text);
  }

  function step(
    taken: TranscriptEdit | undefined,
    text: (edit: TranscriptEdit) => string,
    said: string | undefined,
  ): void {
    if (taken === undefined) return;
    edit(taken.line, text(taken));
    list.focus(taken.line, 'amid');
    page.announce(said ?? '');
  }

  return {
    begin(number) {
      const line = lines[number];
      if (open !== undefined || line?.heard === undefined || line.text.length > longestLine) return;
      const row = list.reveal(number, 'near');
      const words = row?.querySelector<HTMLElement>('.words');
      if (row === undefined || !words) return;
      open = number;
      const label = page.phrase('lineAt', line.heard.time);
      openLineEditor(words, line.text, label, caretIn(words), (written, byKey) => {
        open = undefined;
        if (written !== undefined) make(number, written);
        list.redraw(number);
        if (byKey) list.focus(number, 'near');
      });
      row.classList.add('editing');
    },
    restore(number) {
      const line = lines[number];
      if (line !== undefined) make(number, line.original);
    },
    undo: () => step(history.undo(), ({ before }) => before, page.strings['undone']),
    redo: () => step(history.redo(), ({ after }) => after, page.strings['redone']),
    changed(line, text) {
      const told = unanswered.get(line) ?? [];
      const answered = told.indexOf(text);
      const rest = answered < 0 ? [] : told.slice(answered + 1);
      if (rest.length > 0) unanswered.set(line, rest);
      else unanswered.delete(line);
      // A later edit of this page is on its way to the host: its text is the newer one.
      if (answered < 0 || rest.length === 0) set(line, text);
    },
  };
}

import type {
  ChangedSegment,
  KeptEdits,
  LineEditRequest,
  TranscriptEdit,
} from '../../shared/protocol/transcriptProtocol.ts';
import type { PageContext } from '../pageContext.ts';
import { createEditHistory } from './editHistory.ts';
import { findLine, type Line } from './line.ts';
import { caretIn, type LineEditor, longestLine, openLineEditor, tidyFor } from './lineEditor.ts';
import type { LineList } from './lineList.ts';

/** Edits of lines: made here and told to the host, or told by it. */
export interface LineEdits {
  /** Opens a box in the place of a line's text. */
  begin(line: number): void;
  /** Gives a line the text again that was translated. */
  restore(line: number): void;
  /** Ticks a line off that is to be checked, or on again. */
  tick(line: number): void;
  /** Gives lines other texts, which are taken back together. */
  replace(changes: readonly LineChange[]): void;
  undo(): void;
  redo(): void;
  /** The host says what the texts of lines are now. */
  changed(lines: readonly ChangedSegment[]): void;
  /** Takes away the box that is open, for the page that comes in the place of this one. */
  suspend(): OpenEdit | undefined;
  /** Opens the box of the page before; where its line is there no more, what was written is told to the host, who says so. */
  resume(edit: OpenEdit): void;
}

/** Another text of a line. */
export interface LineChange {
  readonly line: number;
  /** The text that the user began with, where it may be another one by now. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** What is being written in a line. `after` is its text so far. */
export interface OpenEdit extends TranscriptEdit {
  readonly caret: number;
}

export interface LineEditsListeners {
  /** Lines have other texts. */
  onEdit(): void;
  /** A line is to be ticked off, or on again. */
  onTick(line: number, isChecked: boolean): void;
  /** There are other edits to take back. */
  onHistory(kept: KeptEdits): void;
}

/** @param kept edits of an earlier page of the transcript */
export function createLineEdits(
  page: PageContext,
  lines: readonly Line[],
  list: LineList,
  kept: KeptEdits | undefined,
  { onEdit, onTick, onHistory }: LineEditsListeners,
): LineEdits {
  const history = createEditHistory((edit, text) => findLine(lines, edit, text), kept);
  const unanswered = createUnansweredTexts();
  /** The box that is open, and of which line. `before` is the text that the user began with. */
  let open: { readonly line: number; readonly before: string; readonly editor: LineEditor } | undefined;
  const startOf = (line: number): number => lines[line]?.heard?.start ?? 0;

  /** Gives whether a line has another text by it. */
  function set(number: number, text: string): boolean {
    const line = lines[number];
    if (line === undefined || line.text === text) return false;
    line.text = text;
    if (number !== open?.line) list.redraw(number);
    return true;
  }

  /** Gives lines their texts, here and at the host, which makes sure that a line is the one that was shown. */
  function edit(made: readonly TranscriptEdit[]): void {
    for (const { line, isChecked } of made) if (isChecked !== undefined) onTick(line, isChecked);
    const texts = made.filter(({ isChecked }) => isChecked === undefined);
    for (const { line, after } of texts) unanswered.add(line, after);
    if (texts.filter(({ line, after }) => set(line, after)).length > 0) onEdit();
    if (texts.length > 0) page.post({ type: 'edit', edits: texts.map(toAsked) });
    onHistory(history.kept());
  }

  const make = (changes: readonly LineChange[]): void => keep(changesOf(lines, changes));

  function keep(made: readonly TranscriptEdit[]): void {
    if (made.length === 0) return;
    history.add(made);
    edit(made);
  }

  function step(taken: readonly TranscriptEdit[], said: string | undefined): void {
    if (taken.length === 0) return;
    edit(taken);
    list.focus(firstOf(taken), 'amid');
    page.announce(said ?? '');
  }

  function begin(number: number, resumed?: OpenEdit): void {
    const line = lines[number];
    if (open !== undefined || line?.heard === undefined || line.text.length > longestLine) return;
    const row = list.reveal(number, 'near');
    const words = row?.querySelector<HTMLElement>('.words');
    if (row === undefined || !words) return;
    const before = line.text;
    const label = page.phrase('lineAt', line.heard.time);
    const caret = resumed?.caret ?? caretIn(words);
    const editor = openLineEditor(words, resumed?.after ?? before, label, caret, tidyFor(line), (written, byKey) => {
      open = undefined;
      if (written !== undefined) make([{ line: number, before, after: written }]);
      list.redraw(number);
      if (byKey) list.focus(number, 'near');
    });
    open = { line: number, before, editor };
    row.classList.add('editing');
  }

  return {
    begin,
    restore: (number) => make([{ line: number, after: lines[number]?.original ?? '' }]),
    tick: (number) => keep(tickOf(number, lines[number])),
    // A line that is being written keeps what is written there.
    replace: (changes) => make(changes.filter(({ line, after }) => line !== open?.line && after.length <= longestLine)),
    undo() {
      const taken = history.undo().map(reversed);
      step(taken, page.strings['undone']);
    },
    redo: () => step(history.redo(), page.strings['redone']),
    changed(changes) {
      let isOther = false;
      for (const { segment: line, text } of changes) {
        // A later edit of this page may be on its way to the host: its text is the newer one.
        if (unanswered.answer(line, text)) isOther = set(line, text) || isOther;
      }
      if (isOther) onEdit();
    },
    suspend() {
      if (open === undefined) return undefined;
      const { line, before, editor } = open;
      open = undefined;
      return { line, start: startOf(line), before, ...editor.close() };
    },
    resume(edit) {
      const { line: segment, start, before } = edit;
      const [line, text] = [findLine(lines, edit, before), tidyFor(lines[edit.line])(edit.after)];
      if (line !== undefined) begin(line, edit);
      else if (before !== text) page.post({ type: 'edit', edits: [{ segment, start, before, text }] });
    },
  };
}

const firstOf = (edits: readonly TranscriptEdit[]): number =>
  edits.reduce((first, { line }) => Math.min(first, line), Number.POSITIVE_INFINITY);
/** The edit that ticks a line off, or on again; none of a line that is not to be checked. */
function tickOf(number: number, line: Line | undefined): TranscriptEdit[] {
  if (line?.reason === undefined) return [];
  const { text, heard, isSettled = false } = line;
  return [{ line: number, start: heard?.start ?? 0, before: text, after: text, isChecked: !isSettled }];
}

const reversed = ({ isChecked, ...each }: TranscriptEdit): TranscriptEdit => ({
  ...each,
  before: each.after,
  after: each.before,
  ...(isChecked !== undefined && { isChecked: !isChecked }),
});
const toAsked = ({ line, start, before, after }: TranscriptEdit): LineEditRequest => ({
  segment: line,
  start,
  before,
  text: after,
});

/** The edits that give lines other texts than they have. */
function changesOf(lines: readonly Line[], changes: readonly LineChange[]): TranscriptEdit[] {
  return changes.flatMap(({ line, before = lines[line]?.text, after }) => {
    const start = lines[line]?.heard?.start;
    return before === undefined || before === after || start === undefined ? [] : [{ line, start, before, after }];
  });
}

/** The texts that the host was told and has not answered, by line. */
function createUnansweredTexts() {
  /** Oldest first. */
  const texts = new Map<number, string[]>();
  return {
    add: (line: number, text: string): void => void texts.set(line, [...(texts.get(line) ?? []), text]),
    /** Takes the host's answer, and gives whether it is what the line says now. */
    answer(line: number, text: string): boolean {
      const told = texts.get(line) ?? [];
      const answered = told.indexOf(text);
      const rest = answered < 0 ? [] : told.slice(answered + 1);
      if (rest.length > 0) texts.set(line, rest);
      else texts.delete(line);
      return answered < 0 || rest.length === 0;
    },
  };
}

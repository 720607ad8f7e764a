import { createFindBar } from '../../parts/findBar.ts';
import { markCurrent, markWords } from '../../parts/marks.ts';
import type { PageContext } from '../pageContext.ts';
import { findInLines, type LineMatch, matchFrom, replaceIn } from './findInLines.ts';
import type { Line } from './line.ts';
import { tidyFor } from './lineEditor.ts';
import type { LineChange } from './lineEdits.ts';
import type { LineList } from './lineList.ts';
import { createLineReplace } from './lineReplace.ts';

/** Finds a text in all lines, in those that are not drawn, too. */
export interface LineFind {
  readonly element: HTMLElement;
  /** Opens the bar; a few words that are selected are what is to be found. */
  open(): void;
  /** The same, with the row to replace what is found, where lines can be edited. */
  openReplace(): void;
  /** Call it when lines were drawn: what is found in them is marked. */
  mark(): void;
  /** Call it when lines have another text. */
  search(): void;
}

/** The longest selection, in characters, that is taken for what is to be found. */
const longestSelection = 200;
const none: LineMatch = { line: -1, nth: 0 };

/** @param change gives lines other texts; absent: they cannot be edited */
export function createLineFind(
  page: PageContext,
  lines: readonly Line[],
  list: LineList,
  change?: (changes: readonly LineChange[]) => void,
): LineFind {
  const replace = change && createLineReplace(page, { one: replaceOne, all: replaceAll });
  const bar = createFindBar(
    page.strings,
    { changed: begin, step: (by) => goTo(matchFrom(found, current, by)), closed },
    replace && { before: replace.toggle, below: replace.element },
  );
  let found: readonly LineMatch[] = [];
  /** The match that is shown. */
  let current = none;

  function mark(): void {
    const wanted = bar.wanted === '' ? [] : [bar.wanted];
    const words = [...list.drawn.values()].map((row) => row.querySelector('.words')).filter((each) => each !== null);
    const marks = markWords(words, wanted);
    const row = list.drawn.get(current.line);
    markCurrent(marks.filter(({ startContainer }) => row?.contains(startContainer))[current.nth]);
  }

  /** Marks what is found, and gives in words which of all is shown. */
  function show(): string {
    mark();
    const at = found.findIndex(({ line, nth }) => line === current.line && nth === current.nth);
    return bar.showPlace(at + 1, found.length);
  }

  function goTo(match: LineMatch | undefined): void {
    if (match === undefined) return;
    current = match;
    list.reveal(match.line, 'amid');
    page.announce(show());
  }

  /** Goes to the first place from the one that is shown, or from what is in sight, as the text to find is written. */
  function begin(): void {
    found = findInLines(lines, bar.wanted);
    const from = current.line < 0 ? Math.max(0, list.first) : current.line;
    const match = matchFrom(found, { line: from, nth: -1 }, 1);
    if (match !== undefined) goTo(match);
    else if (bar.wanted === '') show();
    else {
      current = none;
      page.announce(show());
    }
  }

  function replaceOne(by: string): void {
    const { line, nth } = current;
    const text = lines[line]?.text;
    if (text === undefined) return;
    change?.([{ line, after: tidyFor(lines[line])(replaceIn(text, bar.wanted, by, nth)) }]);
    // What was put there may hold what is looked for: the search goes on behind it.
    const within = findInLines([{ text: by }], bar.wanted).length;
    goTo(matchFrom(found, { line, nth: nth + within - 1 }, 1));
  }

  function replaceAll(by: string): void {
    const count = found.length;
    if (count === 0) return;
    const wanted = bar.wanted;
    const all = [...new Set(found.map(({ line }) => line))];
    change?.(
      all.map((line) => ({ line, after: tidyFor(lines[line])(replaceIn(lines[line]?.text ?? '', wanted, by)) })),
    );
    page.announce(count === 1 ? (page.strings['replacedOne'] ?? '') : page.phrase('replaced', `${count}`));
  }

  function open(): void {
    const selected = getSelection()?.toString() ?? '';
    bar.open(selected.length <= longestSelection && !selected.includes('\n') ? selected : '');
    bar.focus();
  }

  /** The keyboard goes on from what was found. */
  function closed(): void {
    list.focus(current.line >= 0 ? current.line : list.active, 'near');
    current = none;
  }

  return {
    element: bar.element,
    open,
    openReplace() {
      open();
      replace?.show();
    },
    mark: () => bar.wanted !== '' && mark(),
    search() {
      if (bar.wanted === '') return;
      found = findInLines(lines, bar.wanted);
      show();
    },
  };
}

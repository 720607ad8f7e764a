import type { Line } from '../lines/line.ts';
import type { LineList } from '../lines/lineList.ts';
import type { Player } from './player.ts';

/** The word that is heard, lit in its line. */
export interface HeardWord {
  /** Shows the word at the place of the player; while it plays, each word as it comes. */
  show(): void;
}

const name = 'heard-word';

/** Lights words where the lines have times of their own for them; what was edited has none. */
export function createHeardWord(lines: readonly Line[], list: LineList, player: Player): HeardWord {
  const hasWords = lines.some(({ words }) => words !== undefined) && 'highlights' in CSS;
  let isWatching = false;

  function light(): void {
    const line = list.current === undefined ? undefined : lines[list.current];
    const element = list.current === undefined ? null : list.drawn.get(list.current)?.querySelector('.words');
    const range = line && element && rangeAt(line, element, player.seconds);
    if (range) CSS.highlights.set(name, new Highlight(range));
    else CSS.highlights.delete(name);
  }

  function watch(): void {
    light();
    isWatching = player.isPlaying;
    if (isWatching) requestAnimationFrame(watch);
  }

  return {
    show() {
      if (!hasWords) return;
      // The browser tells the time four times a second, which is more than a word takes.
      if (isWatching) light();
      else watch();
    },
  };
}

/** The word of a line that is heard at a time, in seconds: the last one that has begun, also in the moment before the next. */
function rangeAt({ text, words, wordsOf }: Line, element: Element, seconds: number): Range | undefined {
  if (words === undefined || wordsOf !== text || element.textContent !== text) return undefined;
  const word = words.findLast(([, , start]) => start <= seconds);
  if (word === undefined) return undefined;
  const [at, length] = word;
  const [from, to] = [placeIn(element, at), placeIn(element, at + length)];
  if (from === undefined || to === undefined) return undefined;
  const range = document.createRange();
  range.setStart(...from);
  range.setEnd(...to);
  return range;
}

/** The text node at a place of the text of an element, and the place in it. */
function placeIn(element: Element, at: number): [node: Node, offset: number] | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let rest = at;
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const { length } = node as Text;
    if (rest <= length) return [node, rest];
    rest -= length;
  }
  return undefined;
}

import { readBlocks, readForm } from './readText.ts';

/** The most marks on the page. */
const mostMarks = 1000;
const highlightName = 'found';
const currentName = 'found-current';

/** Marks words in elements, whatever their case, in the place of what was marked before. Gives their places. */
export function markWords(elements: Iterable<Element>, words: readonly string[]): Range[] {
  const marks = Array.from(elements, (each) => findWords(each, words))
    .flat()
    .slice(0, mostMarks);
  // The nodes stay as they are: what is marked can be drawn, copied and selected as before.
  CSS.highlights.set(highlightName, new Highlight(...marks));
  return marks;
}

/** Marks the one of these places that is shown. */
export function markCurrent(range: Range | undefined): void {
  const highlight = new Highlight(...(range === undefined ? [] : [range]));
  highlight.priority = 1;
  CSS.highlights.set(currentName, highlight);
}

/** Where words stand in the text of an element, as it is read and whatever their case. */
function findWords(element: Element, words: readonly string[]): Range[] {
  const forms = words.map(readForm).filter((word) => word !== '');
  const found: Range[] = [];
  if (forms.length === 0) return found;
  for (const { text, rangeOf } of readBlocks(element)) {
    for (const word of forms) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        if (found.length === mostMarks) return found;
        found.push(rangeOf(at, at + word.length));
      }
    }
  }
  return found;
}

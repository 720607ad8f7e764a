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

/** Where words stand in the texts of an element, whatever their case. */
function findWords(element: Element, words: readonly string[]): Range[] {
  const found: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && found.length < mostMarks) {
    const text = walker.currentNode as Text;
    const folded = text.data.toLowerCase();
    // A text that has another length in lower case is left unmarked: its letters stand elsewhere.
    if (folded.length === text.data.length) found.push(...words.flatMap((word) => rangesOf(text, folded, word)));
  }
  return found.slice(0, mostMarks);
}

function rangesOf(text: Text, folded: string, word: string): Range[] {
  const ranges: Range[] = [];
  if (word === '') return ranges;
  for (
    let at = folded.indexOf(word);
    at >= 0 && ranges.length < mostMarks;
    at = folded.indexOf(word, at + word.length)
  ) {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    ranges.push(range);
  }
  return ranges;
}

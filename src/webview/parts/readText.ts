/**
 * The text of an element as it is read: words that stand in one paragraph, heading, cell or block of code follow each other, whatever
 * is bold, a link or code among them, and white space of any kind and length is one space.
 */
export interface ReadBlock {
  /** In lower case, with the quotation marks of the keyboard. */
  readonly text: string;
  /** The range of a part of the text. */
  rangeOf(start: number, end: number): Range;
}

/** A piece of a text node: the place of its first character in the text of the block, and in the node. */
interface Piece {
  readonly at: number;
  readonly node: Text;
  readonly offset: number;
}

const blockTags = 'p,li,pre,h1,h2,h3,h4,h5,h6,td,th,dt,dd,blockquote,summary,figcaption,div';
/** What stands on the page and is not read with the words around it: labels of buttons, and what a formula is made of. */
const besideTags = 'button,.katex-mathml';

export function readBlocks(root: Element): ReadBlock[] {
  const blocks: ReadBlock[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block: Element | undefined;
  let pieces: Piece[] = [];
  let text = '';
  const end = (): void => {
    if (text !== '') blocks.push(blockOf(text, pieces));
    pieces = [];
    text = '';
  };
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement ?? root;
    if (parent.closest(besideTags) !== null) continue;
    const own = parent.closest(blockTags) ?? root;
    if (own !== block) end();
    else if (node.previousSibling instanceof HTMLBRElement && !text.endsWith(' ')) text += ' ';
    block = own;
    for (const { 0: word, index } of node.data.matchAll(/\s+|\S+/g)) {
      const isSpace = word.trim() === '';
      if (isSpace && (text === '' || text.endsWith(' '))) continue;
      pieces.push({ at: text.length, node, offset: index });
      text += isSpace ? ' ' : fold(word);
    }
  }
  end();
  return blocks;
}

function blockOf(text: string, pieces: readonly Piece[]): ReadBlock {
  const pieceAt = (place: number): Piece | undefined => {
    let [low, high] = [0, pieces.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((pieces[middle]?.at ?? 0) <= place) low = middle;
      else high = middle;
    }
    return pieces[low];
  };
  return {
    text,
    rangeOf(start, end) {
      const range = document.createRange();
      const [first, last] = [pieceAt(start), pieceAt(end - 1)];
      if (first !== undefined) range.setStart(first.node, first.offset + start - first.at);
      if (last !== undefined) range.setEnd(last.node, last.offset + end - last.at);
      return range;
    },
  };
}

/** What is searched for, in the form of the texts that are read. */
export function readForm(wanted: string): string {
  return fold(wanted.trim().replaceAll(/\s+/g, ' '));
}

/**
 * Lower case, each letter at its place: one whose lower case has another length stays as it is. Quotation marks are those of the
 * keyboard: models write “don’t”, and who searches types “don't”.
 */
function fold(text: string): string {
  const plain = text.replaceAll(/[‘’‛ʼ]/g, "'").replaceAll(/[“”‟]/g, '"');
  const folded = plain.toLowerCase();
  if (folded.length === plain.length) return folded;
  return Array.from(plain, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('');
}

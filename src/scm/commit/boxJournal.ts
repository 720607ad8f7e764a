/**
 * Tells what the user typed into a box from what was written into it. VS Code tells of every text that the box came to have, in
 * order, and of those that were written only a while later: by then the next may have been written.
 */
export interface BoxJournal {
  /** A text is written into the box. */
  wrote(text: string): void;
  /** VS Code says that the box came to have this text. Returns whether that is the text before, or one that was written. */
  saw(text: string): boolean;
  /** Whether the box has ever had this text, or is about to. */
  knows(text: string): boolean;
}

/** VS Code may keep the text with the line ends of Windows. */
const unified = (text: string): string => text.replaceAll('\r\n', '\n');

/** @param first what stands in the box */
export function createBoxJournal(first: string): BoxJournal {
  const known = new Set([unified(first)]);
  /** The text that was seen last, and those written since. */
  let expected = [unified(first)];
  return {
    wrote(text) {
      known.add(unified(text));
      expected.push(unified(text));
    },
    saw(text) {
      // Of texts that were written quickly after each other, VS Code may tell only of the last.
      const at = expected.indexOf(unified(text));
      if (at < 0) return false;
      expected = expected.slice(at);
      return true;
    },
    knows: (text) => known.has(unified(text)),
  };
}

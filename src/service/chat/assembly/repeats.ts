/** The shortest text, in characters, that one piece alone is believed to repeat. */
const least = 16;
/** The shortest text, in characters, of which three pieces tell that each holds all so far. */
const leastOfThree = 12;
/** White space around a text that is sent again, in characters. */
const mostBlank = 64;

/** Takes the pieces of a text that a service repeats. */
export interface RepeatFilter {
  /** @param isLast whether the service said with it that the answer ends */
  take(piece: string, isLast: boolean): void;
  /** Nothing more comes: passes on what was held back. */
  end(): void;
  /** All that was passed on, with the piece that is passed on. */
  soFar(): string;
}

/**
 * Passes on what is new in each piece: some services send all of the text so far with each piece (DashScope), others all of it once
 * more with the last one (RAGFlow). A piece that begins with all before it is held back until the next one, or the end, tells.
 */
export function createRepeatFilter(onText: (text: string) => void): RepeatFilter {
  /** What was passed on, in pieces that are joined when they are looked at, and its length. */
  let passed: string[] = [];
  let length = 0;
  let first = '';
  let count = 0;
  let isCumulative = false;
  /** Pieces that each begin with the one before, and the first of them with all that was passed on. */
  let held: string[] = [];
  let isLastHeld = false;

  function pass(text: string): void {
    if (text === '') return;
    if (count === 0) first = text;
    count += 1;
    length += text.length;
    passed.push(text);
    onText(text);
  }

  function soFar(): string {
    if (passed.length > 1) passed = [passed.join('')];
    return passed[0] ?? '';
  }

  function release(): void {
    const pieces = held;
    held = [];
    for (const piece of pieces) pass(piece);
  }

  /** Whether a piece may hold all so far, and more is known of it than that a short text is written twice. */
  function mayRepeat(piece: string, isLast: boolean): boolean {
    if (count === 0 || piece.length + mostBlank < length) return false;
    const all = soFar();
    if (isLast && piece === all && piece.length >= least) return true;
    return isWhole(piece, all) || (piece.startsWith(all) && piece.replaceAll(first, '') !== '');
  }

  /** Whether a piece is all so far but for white space around it. */
  function isWhole(piece: string, all: string): boolean {
    if (count < 2 || piece.length > all.length + mostBlank) return false;
    const text = piece.trim();
    return text === all.trim() && text.length >= leastOfThree && text.replaceAll(first.trim(), '').trim() !== '';
  }

  function takeCumulative(piece: string): void {
    const all = soFar();
    if (piece.startsWith(all)) pass(piece.slice(all.length));
    else if (!all.startsWith(piece)) pass(piece);
  }

  function take(piece: string, isLast: boolean): void {
    if (piece === '') return;
    // A piece that is far shorter than what came before it repeats nothing.
    if (count > 0 && held.length === 0 && !isCumulative && piece.length + mostBlank < length) {
      pass(piece);
      return;
    }
    if (isCumulative) {
      takeCumulative(piece);
      return;
    }
    if (held.length > 0 && !piece.startsWith(held.at(-1) ?? '')) release();
    if (held.length > 0 || mayRepeat(piece, isLast)) {
      held.push(piece);
      isLastHeld = isLast;
      if (count !== 1 || held.length < 2 || piece.length < leastOfThree || held[0] === piece) return;
      isCumulative = true;
      held = [];
      takeCumulative(piece);
    } else pass(piece);
  }

  return {
    soFar,
    take,
    end() {
      const last = held.at(-1);
      if (last === undefined) return;
      const all = soFar();
      const isLonger = last.length > all.length;
      const isRepeated =
        count > 1
          ? !isLonger || all.length >= leastOfThree
          : held.length > 1 || (all.length >= least && (isLonger || isLastHeld));
      if (!isRepeated) {
        release();
        return;
      }
      held = [];
      if (last.startsWith(all)) pass(last.slice(all.length));
    },
  };
}

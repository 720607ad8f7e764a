const open = '<think>';
const close = '</think>';
/** The longest white space before a tag that is held back, in characters. */
const longestIndent = 64;

/**
 * Tells the thoughts that some models write into their text, as `<think>…</think>` at its very start, from the answer.
 * A tag may come in pieces; what may still become one is held back.
 */
export interface ThoughtSplitter {
  take(text: string): void;
  /** Ends the text: what was held back is passed on. */
  end(): void;
  /** The answer has begun: nothing more can be a thought, and nothing is held back. */
  readonly settled: boolean;
}

export function createThoughtSplitter(
  onText: (text: string) => void,
  onThought: (text: string) => void,
): ThoughtSplitter {
  let state: 'start' | 'thinking' | 'after' | 'settled' = 'start';
  let held = '';

  function settle(): void {
    if (held === '') return;
    state = 'settled';
    onText(held);
    held = '';
  }

  function take(text: string): void {
    held += text;
    if (state === 'start') begin();
    if (state === 'thinking') think();
    if (state === 'after') held = held.trimStart();
    if (state === 'settled' || state === 'after') settle();
  }

  function begin(): void {
    const text = held.trimStart();
    if (text.startsWith(open)) {
      state = 'thinking';
      held = text.slice(open.length);
    } else if (!open.startsWith(text) || held.length > longestIndent) state = 'settled';
  }

  function think(): void {
    const end = held.indexOf(close);
    const thought = held.slice(0, end < 0 ? held.length - partOf(close, held) : end);
    held = held.slice(end < 0 ? thought.length : end + close.length);
    if (end >= 0) state = 'after';
    if (thought !== '') onThought(thought);
  }

  return {
    get settled() {
      return state === 'settled';
    },
    take,
    end() {
      if (held === '') return;
      if (state === 'thinking') onThought(held);
      else if (state === 'start') onText(held);
      held = '';
    },
  };
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

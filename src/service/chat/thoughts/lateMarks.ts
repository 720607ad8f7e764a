import { longestIndent, partOf, type ReadOn } from './markedText.ts';
import type { ThoughtListener } from './thoughtListener.ts';
import { endsThoughts, isEndMark, markWithin, partOfMark } from './thoughtMarks.ts';

/** What a channel of gpt-oss begins with where a server took the marks out, and what its answer begins with then. */
const [bareThoughts, bareAnswer] = ['analysis', 'assistantfinal'];
const startsBare = /^analysis[^\s.,:;!?'’)<|_-]/;

/** Reads what looks like an answer, until the end of thoughts comes whose beginning had no mark. */
export interface LateMarks {
  read(held: string): ReadOn;
  /** The text ends. */
  end(held: string): ReadOn;
}

/** @param soFar gives all that has come */
export function createLateMarks(
  listener: ThoughtListener,
  say: (text: string) => void,
  soFar: () => string,
): LateMarks {
  function judge(held: string, { index, 0: mark }: RegExpExecArray): ReadOn {
    const after = held.slice(index + mark.length);
    const before = beforeHeld(soFar, held) + held.slice(0, index);
    // A text that has such a mark is about such marks.
    if (!isEndMark(mark) || !endsThoughts(before, after)) return { held, next: 'settled' };
    const isChannel = mark.toLowerCase().endsWith('<|channel|>');
    listener.onReplaced('', isChannel ? before.replace(/assistant$/, '') : before);
    return { held: isChannel ? `<|channel|>${after}` : after, next: 'after' };
  }

  return {
    read(held) {
      if (!mayHoldMark(held)) {
        say(held);
        return { held: '' };
      }
      const found = markWithin.exec(held);
      if (found === null) return sayAllBut(held.length - (partOfMark.exec(held)?.index ?? held.length), held, say);
      const after = held.slice(found.index + found[0].length);
      return after.trim() === '' && after.length <= longestIndent ? { held } : judge(held, found);
    },
    end(held) {
      const found = markWithin.exec(held);
      return found === null ? { held } : judge(held, found);
    },
  };
}

/** Reads a channel of gpt-oss without its marks: thoughts up to the word that its answer begins with. */
export function createBareChannel(
  listener: ThoughtListener,
  say: (text: string) => void,
  soFar: () => string,
): LateMarks {
  return {
    read(held) {
      const end = held.indexOf(bareAnswer);
      if (end < 0) return sayAllBut(partOf(bareAnswer, held), held, say);
      const thoughts = beforeHeld(soFar, held) + held.slice(0, end);
      listener.onReplaced('', thoughts.slice(bareThoughts.length));
      return { held: held.slice(end + bareAnswer.length), next: 'after' };
    },
    end: (held) => ({ held }),
  };
}

export const beginsBare = (text: string): boolean => startsBare.test(text);

function sayAllBut(kept: number, held: string, say: (text: string) => void): ReadOn {
  const text = held.slice(0, held.length - kept);
  say(text);
  return { held: held.slice(text.length) };
}

/** The answer so far, without what is held back of it. */
function beforeHeld(soFar: () => string, held: string): string {
  const all = soFar();
  return all.slice(0, all.length - held.length);
}

const [less, bracket, diamond] = [0x3c, 0x5b, 0x25c1];

/** Whether a text has a character that a mark begins with: `<`, `[`, `◁`. By its codes, since it is asked of every token. */
export function mayHoldMark(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === less || code === bracket || code === diamond) return true;
  }
  return false;
}

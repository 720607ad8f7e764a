import { type ChannelListener, type ChannelReader, createChannelReader } from './channels.ts';
import { beginningOf, endsThoughts, escaped, isEndMark, markWithin, mayBegin, partOfMark } from './thoughtMarks.ts';

/** The longest white space before a mark that is held back, in characters. */
const longestIndent = 64;
/** What a channel of gpt-oss begins with where a server took the marks out, and what its answer begins with then. */
const [bareThoughts, bareAnswer] = ['analysis', 'assistantfinal'];
const startsBare = /^analysis[^\s.,:;!?'’)<|_-]/;

/** Takes the parts of an answer, in order. */
export interface ThoughtListener extends ChannelListener {
  /** All that came so far is this instead: its thoughts, or their end, are known only now. */
  onReplaced(text: string, thoughts: string): void;
}

/**
 * Tells the thoughts that some models write into their text from the answer: those at its start, between marks, and those whose
 * first mark is missing, since it stands in the chat template. A mark may come in pieces; what may still become one is held back.
 */
export interface ThoughtSplitter {
  take(text: string): void;
  /** The service has another place for thoughts: marks in the text are plain text, but for one that is left over. */
  settle(): void;
  /** Ends the text: what was held back is passed on. @param isComplete whether the service said that it is whole */
  end(isComplete: boolean): void;
}

/** @param soFar gives all that was taken, with the piece that is taken: it is asked for where a mark comes late */
export function createThoughtSplitter(listener: ThoughtListener, soFar: () => string): ThoughtSplitter {
  let state: 'start' | 'thinking' | 'after' | 'answer' | 'bare' | 'wrapped' | 'settled' = 'start';
  let held = '';
  let opening = '';
  let close = '';
  let closing = /$/;
  let hasThoughts = false;
  /** Whether the service has another place for thoughts. */
  let isElsewhere = false;
  /** Thoughts that have not ended yet. */
  let thought = '';
  let channels: ChannelReader | undefined;

  function say(text: string): void {
    if (text === '') return;
    listener.onText(text);
  }

  /** @returns whether there is something left to read */
  function step(): boolean {
    switch (state) {
      case 'start':
      case 'after':
        return begin();
      case 'thinking':
        return think();
      case 'answer':
        return answer();
      case 'bare':
        return bare();
      case 'wrapped':
        return unwrap();
      case 'settled':
        say(held);
        held = '';
        return false;
    }
  }

  function begin(): boolean {
    const text = held.trimStart();
    if (text === '' && state === 'after') held = '';
    if (text === '' && held.length <= longestIndent) return false;
    const indent = held.length - text.length;
    const found = indent > longestIndent && state === 'start' ? undefined : beginningOf(text, hasThoughts);
    if (found === undefined || (isElsewhere && found.kind !== 'end')) {
      if (indent <= longestIndent && mayBegin(text)) return false;
      // Blank lines after thoughts are no part of the answer.
      if (state === 'after') held = text;
      if (hasThoughts) state = 'settled';
      else state = startsBare.test(text) ? 'bare' : 'answer';
      return true;
    }
    held = text.slice(found.length);
    if (found.kind === 'channels') {
      channels = createChannelReader(listener);
      channels.take(held);
      held = '';
      return false;
    }
    if (found.kind === 'end') state = 'after';
    else {
      state = found.kind === 'thoughts' ? 'thinking' : 'wrapped';
      close = found.close;
      closing = new RegExp(escaped(close), 'i');
      opening = text.slice(0, found.length);
    }
    hasThoughts = true;
    return true;
  }

  function think(): boolean {
    const end = held.search(closing);
    const text = held.slice(0, end < 0 ? held.length - partOf(close, held) : end);
    held = held.slice(end < 0 ? text.length : end + close.length);
    thought = end < 0 ? thought + text : '';
    if (text !== '') listener.onThought(text);
    if (end >= 0) state = 'after';
    return end >= 0;
  }

  /** Text in which the end of thoughts may still come whose beginning had no mark. */
  function answer(): boolean {
    const found = mayHoldMark(held) ? markWithin.exec(held) : null;
    if (found !== null) {
      const after = held.slice(found.index + found[0].length);
      if (after.trim() === '' && after.length <= longestIndent) return false;
      judge(found, after);
      return true;
    }
    sayAllBut(mayHoldMark(held) ? held.length - (partOfMark.exec(held)?.index ?? held.length) : 0);
    return false;
  }

  function sayAllBut(kept: number): void {
    const text = held.slice(0, held.length - kept);
    held = held.slice(text.length);
    say(text);
  }

  function judge({ index, 0: mark }: RegExpExecArray, after: string): void {
    const before = beforeHeld() + held.slice(0, index);
    if (!isEndMark(mark) || !endsThoughts(before, after)) {
      // A text that has such a mark is about such marks.
      state = 'settled';
      return;
    }
    const isChannel = mark.toLowerCase().endsWith('<|channel|>');
    held = isChannel ? `<|channel|>${after}` : after;
    turnToThoughts(isChannel ? before.replace(/assistant$/, '') : before);
  }

  /** The answer so far, without what is held back of it. */
  function beforeHeld(): string {
    const all = soFar();
    return all.slice(0, all.length - held.length);
  }

  function bare(): boolean {
    const end = held.indexOf(bareAnswer);
    if (end < 0) {
      sayAllBut(partOf(bareAnswer, held));
      return false;
    }
    const thoughts = beforeHeld() + held.slice(0, end);
    held = held.slice(end + bareAnswer.length);
    turnToThoughts(thoughts.slice(bareThoughts.length));
    return true;
  }

  function turnToThoughts(thoughts: string): void {
    listener.onReplaced('', thoughts);
    hasThoughts = true;
    state = 'after';
  }

  /** The answer in marks of its own: the last one is no part of it. */
  function unwrap(): boolean {
    const end = held.search(closing);
    const rest = end < 0 ? '' : held.slice(end + close.length);
    if (rest.trim() !== '' || rest.length > longestIndent) {
      state = 'settled';
      return true;
    }
    const text = held.slice(0, end < 0 ? held.length - partOf(close, held) : end);
    held = held.slice(text.length);
    say(text);
    return false;
  }

  return {
    take(text) {
      // The way of nearly all tokens.
      if (held === '' && (state === 'settled' || (state === 'answer' && !mayHoldMark(text)))) {
        listener.onText(text);
        return;
      }
      if (channels !== undefined) {
        channels.take(text);
        return;
      }
      held += text;
      while (held !== '' && channels === undefined && step());
    },
    settle() {
      hasThoughts = true;
      isElsewhere = true;
      if (state === 'start' && channels === undefined) return;
      end(false);
      state = 'settled';
    },
    end,
  };

  function end(isComplete: boolean): void {
    if (channels !== undefined) {
      channels.end();
      return;
    }
    const found = state === 'answer' ? markWithin.exec(held) : null;
    if (found !== null) judge(found, held.slice(found.index + found[0].length));
    if (state === 'after') held = held.trimStart();
    if (state === 'thinking') endThinking(isComplete);
    else if (state !== 'wrapped' || held.toLowerCase().trimEnd() !== close) say(held);
    held = '';
  }

  function endThinking(isComplete: boolean): void {
    thought += held;
    // A sentence about the mark: thoughts begin behind it without a space, and end.
    const isSentence = opening.endsWith(':') || /^ \S/.test(thought);
    if (isComplete && isSentence) listener.onReplaced(opening + thought, '');
    else if (held !== '') listener.onThought(held);
  }
}

/** What a model wrote without its thoughts. @param isEnded false while there is more to come: then what may be thoughts is left out */
export function withoutThoughts(text: string, isEnded = true): string {
  let answer = '';
  const listener: ThoughtListener = {
    onText: (added) => {
      answer += added;
    },
    onThought: () => {},
    onCall: () => {},
    onReplaced: (replaced) => {
      answer = replaced;
    },
  };
  const splitter = createThoughtSplitter(listener, () => text);
  splitter.take(text);
  if (isEnded) splitter.end(true);
  return answer;
}

const [less, bracket, diamond] = [0x3c, 0x5b, 0x25c1];

/** Whether a text has a character that a mark begins with: `<`, `[`, `◁`. By its codes, since it is asked of every token. */
function mayHoldMark(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === less || code === bracket || code === diamond) return true;
  }
  return false;
}

/** How many characters at the end of `text` may be the beginning of `mark`, in lower case. */
function partOf(mark: string, text: string): number {
  const end = text.slice(-mark.length).toLowerCase();
  for (let length = Math.min(mark.length - 1, end.length); length > 0; length--) {
    if (end.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

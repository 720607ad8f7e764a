import { type ChannelReader, createChannelReader } from './channels.ts';
import { beginsBare, createBareChannel, createLateMarks, type LateMarks, mayHoldMark } from './lateMarks.ts';
import { createMarkedAnswer, createMarkedThoughts, longestIndent, type MarkedText, type ReadOn } from './markedText.ts';
import type { ThoughtListener } from './thoughtListener.ts';
import { beginningOf, mayBegin } from './thoughtMarks.ts';

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
  const say = (text: string): void => {
    if (text !== '') listener.onText(text);
  };
  const answer = createLateMarks(listener, say, soFar);
  let state: 'start' | 'after' | 'reading' | 'settled' = 'start';
  /** What reads the text in the state `reading`. */
  let reader: MarkedText | LateMarks = answer;
  let held = '';
  /** `isElsewhere`: the service has another place for thoughts. */
  let [hasThoughts, isElsewhere] = [false, false];
  let channels: ChannelReader | undefined;

  /** @returns whether there is something left to read */
  function step(): boolean {
    if (state === 'start' || state === 'after') return begin();
    if (state === 'settled') {
      say(held);
      held = '';
      return false;
    }
    return goOn(reader.read(held));
  }

  function goOn(read: ReadOn): boolean {
    held = read.held;
    if (read.next === undefined) return false;
    state = read.next;
    hasThoughts ||= state === 'after';
    return true;
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
      state = hasThoughts ? 'settled' : 'reading';
      if (beginsBare(text)) reader = createBareChannel(listener, say, soFar);
      return true;
    }
    held = text.slice(found.length);
    if (found.kind === 'channels') {
      channels = createChannelReader(listener);
      channels.take(held);
      held = '';
      return false;
    }
    hasThoughts = true;
    state = found.kind === 'end' ? 'after' : 'reading';
    if (found.kind === 'thoughts') reader = createMarkedThoughts(text.slice(0, found.length), found.close, listener);
    else if (found.kind !== 'end') reader = createMarkedAnswer(found.close, say);
    return true;
  }

  function end(isComplete: boolean): void {
    if (channels !== undefined) {
      channels.end();
      return;
    }
    const read = state === 'reading' ? reader.end(held, isComplete) : { held };
    if (read !== undefined) goOn(read);
    if (read !== undefined) say(state === 'after' ? held.trimStart() : held);
    held = '';
  }

  return {
    take(text) {
      // The way of nearly all tokens.
      const isPlain = state === 'settled' || (state === 'reading' && reader === answer && !mayHoldMark(text));
      if (held === '' && isPlain) {
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

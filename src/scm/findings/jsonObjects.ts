import { readObject } from '../../base/jsonText.ts';

/** The longest object that is parsed, in characters, and the most in one another: each is parsed on its own. */
const longest = 8_000;
const deepest = 8;

/** Finds JSON objects in text that comes line by line, whatever stands around them. */
export interface ObjectScanner {
  /** Whether something that was opened is not closed yet. */
  readonly isOpen: boolean;
  /** Takes a line without its ending; gives the objects that ended in it, inner ones first. */
  push(line: string): Record<string, unknown>[];
  /** Forgets what is open. */
  reset(): void;
}

export function createObjectScanner(): ObjectScanner {
  let brackets = 0;
  let isString = false;
  let isEscaped = false;
  /** The text since the outermost object that is open, and where in it each one begins. */
  let text = '';
  let starts: number[] = [];

  /** Takes the character at a place of the text. */
  function take(char: string, at: number): Record<string, unknown> | undefined {
    if (isString) {
      if (isEscaped) isEscaped = false;
      else if (char === '\\') isEscaped = true;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '[') brackets++;
    else if (char === ']') brackets = Math.max(0, brackets - 1);
    else if (char === '{') {
      starts.push(at);
      if (starts.length > deepest) starts.shift();
    } else if (char === '}') {
      const start = starts.pop();
      if (start !== undefined && at - start < longest) return readObject(text.slice(start, at + 1));
    }
    return undefined;
  }

  /** Drops what no object needs any more. */
  function shorten(): void {
    if (starts.length === 0) text = '';
    if (text.length <= 2 * longest) return;
    const from = text.length - longest;
    text = text.slice(from);
    // An object whose beginning is gone is too long: its end has to find nothing.
    starts = starts.map((start) => start - from);
  }

  function reset(): void {
    brackets = 0;
    isString = false;
    isEscaped = false;
    text = '';
    starts = [];
  }

  return {
    get isOpen() {
      return brackets > 0 || starts.length > 0;
    },
    push(line) {
      // A string that the model never closed would take in all lines below: an object that is whole in its line ends it.
      const whole = isString ? readWholeLine(line) : undefined;
      if (whole !== undefined) {
        reset();
        return [whole];
      }
      const before = text.length;
      text += line;
      const found: Record<string, unknown>[] = [];
      for (let at = 0; at < line.length; at++) {
        const object = take(line.charAt(at), before + at);
        if (object !== undefined) found.push(object);
      }
      // Models break lines within strings, where JSON has no line breaks.
      text += isString ? '\\n' : '\n';
      isEscaped = false;
      shorten();
      return found;
    },
    reset,
  };
}

function readWholeLine(line: string): Record<string, unknown> | undefined {
  const object = line.trim().replace(/,$/, '');
  if (line.length > longest || !object.startsWith('{"') || !object.endsWith('}')) return undefined;
  return readObject(object);
}

import { type CallableTool, readCalls, type WrittenCall, type WrittenCalls } from './calledInText.ts';

/** The longest text that is held back as calls, in characters. */
const longest = 4 * 1024 * 1024;
/** Marks that no text holds by chance: they are tokens of their own. */
const tokens = '\\[TOOL_CALLS\\]|<[|｜]tool[▁_]calls?|<[|｜]DSML[|｜](?:tool|function)_calls>|<\\|python_tag\\|>';
const tag = '<(?:\\w{1,20}:)?(?:tool_calls?|function_calls?)>\\s{0,100}';
/** Marks that text may be about: they count at the start of a line before a word, and elsewhere before what only a call begins with. */
const tags = `${tag}(?=[{[<A-Za-z]|\`{3})|<function=|<invoke name="|functools\\[`;
const tagInLine = `(?<![\`'"“‘«])${tag}(?=[{[]|<function=|<invoke name=")`;
const json = '\\{\\s*"(?:name|tool_name|tool|function|type)"\\s*:|\\[\\s*\\{\\s*"(?:name|type|function)"\\s*:';
const start = new RegExp(
  `${tokens}|${tagInLine}|(?<=^[ \\t]{0,40})(?:${tags}|(?:\`{3,20}(?:json|tool_call|tool_code)?[ \\t]*\\n\\s*)?(?:${json}))`,
  'gm',
);
/** What may become such a start, at the end of a text. */
const partOfStart =
  /(?:\[[A-Z_]{0,11}|<[|｜](?:[a-z_▁]{0,12}[|｜]?|D(?:S(?:M(?:L(?:[|｜][a-z_]{0,14})?)?)?)?)|<[\w:]{0,40}|<(?:\w{1,20}:)?(?:tool_calls?|function_calls?)>\s{0,100}(?:<[a-z =]{0,12}|`{1,2})?|(?<=^[ \t]{0,40})(?:<invoke (?:n(?:a(?:m(?:e=?)?)?)?)?|f(?:u(?:n(?:c(?:t(?:o(?:o(?:ls?)?)?)?)?)?)?)?|`{1,20}[a-z_]{0,9}[ \t]*(?:\n\s{0,100})?(?:[{[][\s{]{0,100}(?:"[a-z_]{0,10}"?\s{0,100})?)?|[{[][\s{]{0,100}(?:"[a-z_]{0,10}"?\s{0,100})?))$/m;

/** Characters of a line that are looked at. */
const longestLine = 200;

/** Passes on text, and holds back what may be calls in it. */
export interface TextCalls {
  take(text: string): void;
  /**
   * The text has ended.
   * @param isWhole false where it was cut off: then nothing in it is a call
   * @param isAsked where the server has read calls itself: a call in the text is one of these, or none
   */
  end(isWhole: boolean, isAsked?: (call: WrittenCall) => boolean): void;
}

/**
 * Finds the calls that a model wrote into its text, where its server did not read them. From what may be a call on, the text is held
 * back to its end; it is a call where it names an offered tool, and text else.
 */
export function createTextCalls(
  tools: readonly CallableTool[],
  onText: (text: string) => void,
  onCall: (call: WrittenCall) => void,
): TextCalls {
  let held = '';
  let isHolding = false;
  const place = createPlace();

  function pass(text: string): void {
    if (text === '') return;
    place.take(text);
    onText(text);
  }

  function look(): void {
    // The line so far tells whether a mark stands at the start of one.
    const text = place.line + held;
    const from = place.line.length;
    const begins = startOutsideCode(text, from, place.copy());
    const kept = begins ?? Math.max(partOfStart.exec(text)?.index ?? text.length, from);
    const passed = held.slice(0, kept - from);
    held = held.slice(passed.length);
    isHolding = begins !== undefined;
    pass(passed);
  }

  return {
    take(text) {
      held += text;
      if (!isHolding) look();
      if (held.length <= longest) return;
      pass(held);
      held = '';
      isHolding = false;
    },
    end(isWhole, isAsked) {
      const read = isWhole && isHolding ? findCalls(held, tools) : undefined;
      const found = isAsked === undefined || read?.calls.every(isAsked) ? read : undefined;
      if (found === undefined) onText(held);
      else {
        if (found.before !== '') onText(found.before);
        if (isAsked === undefined) for (const call of found.calls) onCall(call);
        if (found.rest !== '') onText(found.rest);
      }
      held = '';
    },
  };
}

/** Marks of one answer that are looked at until one is a call. */
const mostMarks = 50;

/** The first calls in a text that begins with what may be one; undefined where none is. */
function findCalls(text: string, tools: readonly CallableTool[]): (WrittenCalls & { before: string }) | undefined {
  const place = createPlace();
  let at = 0;
  for (let tries = 0; tries < mostMarks; tries++) {
    const found = readCalls(text.slice(at), tools);
    if (found !== undefined && !isExample(text.slice(at, at + longestLine), found))
      return { ...found, before: text.slice(0, at) };
    place.take(text.slice(at, at + 1));
    const next = startOutsideCode(text, at + 1, place);
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

/** Whether calls are shown rather than made: JSON that something is said about, or calls in a sentence that goes on. */
function isExample(start: string, { rest, isSameLine }: WrittenCalls): boolean {
  if (rest === '') return false;
  const isBare = /^[`{[]/.test(start) && !start.startsWith('[TOOL_CALLS]');
  return isBare || /^\p{Ll}/u.test(rest) || (isSameLine && /^[\p{Lo}\p{P}]/u.test(rest) && !rest.startsWith('['));
}

/** A place in a text of Markdown. */
interface Place {
  take(text: string): void;
  /** The beginning of its line. */
  readonly line: string;
  /** Whether it is in a block of code, or in code within its line. */
  readonly isInCode: boolean;
  copy(): Place;
}

function createPlace(line = '', isFenced = false, ticks = 0): Place {
  return {
    take(text) {
      for (const [at, part] of text.split('\n').entries()) {
        if (at > 0) {
          if (/^[ \t]{0,3}(?:`{3,}|~{3,})/.test(line)) isFenced = !isFenced;
          line = '';
          ticks = 0;
        }
        if (line.length < longestLine) line += part.slice(0, longestLine);
        ticks += part.split('`').length - 1;
      }
    },
    get line() {
      return line;
    },
    get isInCode() {
      return isFenced || ticks % 2 === 1;
    },
    copy: () => createPlace(line, isFenced, ticks),
  };
}

/** Where what may be calls begins, outside of code. @param place that of `from` */
function startOutsideCode(text: string, from: number, place: Place): number | undefined {
  let looked = from;
  for (const { index } of text.matchAll(start)) {
    if (index < from) continue;
    place.take(text.slice(looked, index));
    looked = index;
    if (!place.isInCode) return index;
  }
  return undefined;
}

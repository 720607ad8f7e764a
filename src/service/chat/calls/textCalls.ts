import { type CallableTool, readCalls, type WrittenCall } from './calledInText.ts';

/** The longest text that is held back as calls, in characters. */
const longest = 4 * 1024 * 1024;
/** Marks that no text holds by chance: they are tokens of their own. */
const tokens = '\\[TOOL_CALLS\\]|<[|｜]tool[▁_]calls?|<\\|python_tag\\|>';
/** Marks that text may be about: they count at the start of a line, and before what a call begins with. */
const tags =
  '<(?:\\w{1,20}:)?(?:tool_calls?|function_calls?)>\\s*(?=[{[<A-Za-z])|<function=|<invoke name="|functools\\[';
const json = '\\{\\s*"(?:name|tool_name|tool|function|type)"\\s*:|\\[\\s*\\{\\s*"(?:name|type|function)"\\s*:';
const start = new RegExp(
  `${tokens}|(?<=^[ \\t]*)(?:${tags}|(?:\`{3,}(?:json|tool_call|tool_code)?[ \\t]*\\n\\s*)?(?:${json}))`,
  'gm',
);
/** What may become such a start, at the end of a text. */
const partOfStart =
  /(?:\[[A-Z_]{0,11}|<[|｜][a-z_▁]{0,12}[|｜]?|(?<=^[ \t]*)(?:<(?:[\w:]{0,40}|(?:\w{1,20}:)?(?:tool_calls?|function_calls?)>\s{0,100}|invoke name=?)|f(?:u(?:n(?:c(?:t(?:o(?:o(?:ls?)?)?)?)?)?)?)?|`{1,3}[a-z_]{0,9}[ \t]*(?:\n\s{0,100})?(?:[{[][\s{]{0,100}(?:"[a-z_]{0,10}"?\s{0,100})?)?|[{[][\s{]{0,100}(?:"[a-z_]{0,10}"?\s{0,100})?))$/m;

/** Characters of a line that are looked at. */
const longestLine = 200;

/** Passes on text, and holds back what may be calls in it. */
export interface TextCalls {
  take(text: string): void;
  /** The text has ended. @param isWhole false where it was cut off: then nothing in it is a call */
  end(isWhole: boolean): void;
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
  let line = '';
  let isFenced = false;
  let isHolding = false;

  function pass(text: string): void {
    if (text === '') return;
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) {
        if (isFence(line)) isFenced = !isFenced;
        line = '';
      }
      if (line.length < longestLine) line += part;
    }
    onText(text);
  }

  function look(): void {
    // The line so far tells whether a mark stands at the start of one, or in code.
    const text = line + held;
    const from = line.length;
    const place = startOutsideCode(text, from, isFenced);
    const kept = place ?? Math.max(partOfStart.exec(text)?.index ?? text.length, from);
    const passed = held.slice(0, kept - from);
    held = held.slice(passed.length);
    isHolding = place !== undefined;
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
    end(isWhole) {
      const read = isWhole && isHolding ? readCalls(held, tools) : undefined;
      const isExample =
        read !== undefined && read.rest !== '' && /^[`{[]/.test(held) && !held.startsWith('[TOOL_CALLS]');
      if (read === undefined || isExample) onText(held);
      else {
        for (const call of read.calls) onCall(call);
        if (read.rest !== '') onText(read.rest);
      }
      held = '';
    },
  };
}

const isFence = (line: string): boolean => /^[ \t]{0,3}(?:`{3,}|~{3,})/.test(line);

/** Where what may be calls begins, outside of fences and of code within a line. */
function startOutsideCode(text: string, from: number, isFencedAtFirst: boolean): number | undefined {
  let isFenced = isFencedAtFirst;
  let looked = 0;
  for (const { index } of text.matchAll(start)) {
    const before = text.slice(looked, index);
    const lines = before.split('\n');
    for (const line of lines.slice(0, -1)) if (isFence(line)) isFenced = !isFenced;
    const line = lines.at(-1) ?? '';
    looked = index - line.length;
    if (index >= from && !isFenced && (line.match(/`/g)?.length ?? 0) % 2 === 0) return index;
  }
  return undefined;
}

import { jsonFault } from './jsonFault.ts';

/** The longest JSON that is read, in characters. */
const longestJson = 2_000_000;
/** How many lists and objects may stand in each other in an answer or a schema. */
export const deepestJson = 100;

/** What an answer says as JSON. */
export type AnswerJson =
  | {
      readonly value: unknown;
      /** As the model wrote it. */
      readonly json: string;
    }
  | {
      readonly problem: 'empty' | 'tooLong' | 'tooDeep' | 'broken' | 'unfinished';
      /** Where it is broken, in the answer, from 1. */
      readonly line: number;
      readonly column: number;
    };

/**
 * Reads an answer as JSON: as it is, or from the one fence of code in it, whatever is said around that. `unfinished` is what ends before
 * its JSON does. Does not throw.
 */
export function readAnswerJson(text: string): AnswerJson {
  const place = withoutBlanks(text, jsonPlace(text));
  const json = text.slice(place.from, place.to);
  if (json.trim() === '') return { problem: 'empty', line: 1, column: 1 };
  if (json.length > longestJson) return { problem: 'tooLong', line: 1, column: 1 };
  const fault = jsonFault(json, deepestJson);
  if (fault === undefined) return { value: JSON.parse(json), json: json.trim() };
  const problem = fault.isTooDeep ? 'tooDeep' : fault.isEnd ? 'unfinished' : 'broken';
  return { problem, ...lineAndColumn(text, place.from + fault.at) };
}

/** Where the JSON of an answer stands: in its fence, where it has one alone. */
function jsonPlace(text: string): { readonly from: number; readonly to: number } {
  const whole = { from: 0, to: text.length };
  if (/^[\uFEFF\s]*[{["]/.test(text) || text.length > 2 * longestJson) return whole;
  const fences = [...text.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*$/gm)];
  const [first, second, third] = fences;
  if (first === undefined || third !== undefined) return whole;
  const from = first.index + first[0].length;
  // A fence that is not closed is of an answer that was cut.
  return { from, to: second === undefined ? text.length : second.index };
}

/** Blanks that JSON does not know (a byte order mark, a space that does not break) may stand around it, but not within. */
function withoutBlanks(text: string, { from, to }: ReturnType<typeof jsonPlace>): ReturnType<typeof jsonPlace> {
  const part = text.slice(from, to);
  const start = part.length - part.trimStart().length;
  return { from: from + start, to: Math.max(from + start, from + part.trimEnd().length) };
}

function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}

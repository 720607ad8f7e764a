import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../base/jsonText.ts';
import { jsonFault } from '../structured/jsonFault.ts';

/** The arguments of a call, or why they are none. */
export type ReadArguments =
  | { readonly input: Record<string, unknown> }
  | {
      readonly problem: 'not-json' | 'not-an-object' /** In characters from 0, where it is known. */;
      readonly at?: number;
    };

/** How many lists and objects of the arguments may stand in each other. */
const deepest = 200;
/** What a template leaves behind the arguments: brackets too many, and its own marks. */
const leftBehind = /^[\s}\]]*(?:<\/?[\w|▁-]+>|<[|｜][^<>]{0,60}[|｜]>|\s)*$/u;
const fenced = /^\s*```[\w-]*\s*\n([\s\S]*?)\n?\s*```\s*$/;

/**
 * Reads the arguments that a model wrote. What is no JSON, and can mean one thing only, is taken for that: a comma too many, the words and
 * quotes of Python, line breaks in a text, the backslashes of a pattern, a fence around it, marks of a template behind it, the same
 * object twice, JSON in a JSON text. Does not throw.
 */
export function readArguments(text: string): ReadArguments {
  // A call without arguments comes as nothing, or as what stands for it.
  if (['', 'null', '""'].includes(text.trim())) return { input: {} };
  let value = parsed(text);
  if (value === undefined) {
    const whole = fenced.exec(text)?.[1] ?? text;
    value = parsed(whole) ?? firstOf(whole) ?? mended(whole);
  }
  // Some services encode them twice.
  if (typeof value?.json === 'string') value = parsed(value.json) ?? value;
  if (value === undefined) return { problem: 'not-json', ...(jsonFault(text, deepest) ?? {}) };
  return isJsonObject(value.json) ? { input: value.json } : { problem: 'not-an-object' };
}

/** The value of a JSON text; undefined where it is none, or has too much within each other. */
function parsed(text: string): { readonly json: unknown } | undefined {
  if (jsonFault(text, deepest) !== undefined) return undefined;
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The value at the beginning, where nothing stands behind it but marks of a template, or the same once more. */
function firstOf(text: string): { readonly json: unknown } | undefined {
  const fault = jsonFault(text, deepest);
  if (fault === undefined || fault.isEnd) return undefined;
  const [first, rest] = [parsed(text.slice(0, fault.at)), text.slice(fault.at)];
  if (first === undefined || !isJsonObject(first.json)) return undefined;
  if (leftBehind.test(rest)) return first;
  const again = parsed(rest);
  return again !== undefined && isDeepStrictEqual(again.json, first.json) ? first : undefined;
}

function mended(text: string): { readonly json: unknown } | undefined {
  const made = mend(text);
  if (made === undefined) return undefined;
  return parsed(made) ?? firstOf(made);
}

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
/** A text in either quotes, a word, a comma before what closes, or one other character. */
const token = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[\p{L}_][\p{L}\p{N}_]*|(,\s*(?=[}\]]))|[\s\S]/gu;

/** A text with the slips that can mean one thing only put right; undefined where one of them may mean more. */
function mend(text: string): string | undefined {
  let made = '';
  for (const [each, comma] of text.matchAll(token)) {
    if (comma !== undefined) continue;
    if (each.length > 1 && (each.startsWith('"') || each.startsWith("'"))) {
      const content = mendText(each.slice(1, -1), each.startsWith("'"));
      if (content === undefined) return undefined;
      made += `"${content}"`;
    } else made += words[each] ?? each;
  }
  return made;
}

/**
 * The content of a JSON text: raw line breaks and tabs are written as escapes. A backslash that begins no escape is one of a pattern; where
 * the text has others that do, it is not known which is meant.
 */
function mendText(content: string, isSingle: boolean): string | undefined {
  const escapes = [...content.matchAll(/\\([\s\S])/g)].map(([, letter = '']) => letter);
  const isForeign = (letter: string): boolean => !'"\\/bfnrtu'.includes(letter) && !(isSingle && letter === "'");
  const hasForeign = escapes.some(isForeign);
  if (hasForeign && escapes.some((letter) => 'bfnrtu'.includes(letter))) return undefined;
  return content
    .replace(/\\([\s\S])|"/g, (whole, letter?: string) => {
      if (letter === undefined) return '\\"';
      if (isSingle && letter === "'") return "'";
      return isForeign(letter) ? `\\${whole}` : whole;
    })
    .replace(/[\u0000-\u001f]/g, (letter) => JSON.stringify(letter).slice(1, -1));
}

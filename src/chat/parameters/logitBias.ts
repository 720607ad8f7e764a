import { isPlainObject } from '../../base/jsonText.ts';
import { readDecimal } from './decimalText.ts';

/** The most tokens of one text, and the longest id. */
const [mostTokens, highestId] = [256, 10_000_000];
/** The most words that are taken at once, and the longest of them. */
export const [mostWords, longestWord] = [20, 100];

/** The values of `logit_bias` run from never to always. */
export const [leastBias, mostBias] = [-100, 100];

/** A text as the model reads it, and its tokens. */
export interface WordTokens {
  /** A word, with the space before it where it stands within a sentence. */
  readonly text: string;
  readonly ids: readonly number[];
}

/** Words that are written one after the other, with commas between them. */
export function readWords(text: string): string[] {
  const words = wordsIn(text);
  return words.filter((word) => word.length <= longestWord).slice(0, mostWords);
}

/** Whether a text has more words than are taken, or longer ones. */
export function hasOtherWords(text: string): boolean {
  return readWords(text).length < wordsIn(text).length;
}

function wordsIn(text: string): string[] {
  const words = text.split(/[,，、،\n]/).map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}

/** The texts of which a word is one in an answer: within a sentence, and at its beginning. */
export function textsOfWord(word: string): string[] {
  return [` ${word}`, word];
}

/**
 * The request by which servers that tell the tokens of a text are asked: vLLM reads `prompt`, llama.cpp `content`; each passes over
 * the rest. Neither is in the document.
 */
export function tokenizeBody(model: string, text: string): string {
  return JSON.stringify({ model, prompt: text, content: text, add_special_tokens: false, add_special: false });
}

/** The token ids in an answer to it: `{tokens: [1, 2]}`, or with `{id, piece}` for each; undefined where there are none. */
export function readTokenIds(answer: unknown): number[] | undefined {
  const tokens = Array.isArray(answer) ? answer : isPlainObject(answer) ? answer['tokens'] : undefined;
  if (!Array.isArray(tokens) || tokens.length === 0 || tokens.length > mostTokens) return undefined;
  const ids = tokens.map((token: unknown) => (isPlainObject(token) ? token['id'] : token));
  return ids.every(isTokenId) ? ids : undefined;
}

/** Token ids as a person writes them; undefined where one is none. */
export function parseTokenIds(text: string): number[] | undefined {
  const parts = text
    .normalize('NFKC')
    .split(/[\s,;、،]+/)
    .filter(Boolean);
  if (parts.length === 0 || parts.length > mostTokens || !parts.every((part) => /^\d{1,8}$/.test(part)))
    return undefined;
  const ids = parts.map(Number);
  return ids.every(isTokenId) ? ids : undefined;
}

/** A bias as a person writes it; undefined where it is none. */
export function parseBias(text: string): number | undefined {
  const value = readDecimal(text);
  return value !== undefined && value >= leastBias && value <= mostBias ? value : undefined;
}

/** What `logit_bias` is with one more bias; 0 takes that of a token away. Undefined where nothing is left. */
export function withBias(
  before: unknown,
  ids: readonly number[],
  bias: number,
): Readonly<Record<string, number>> | undefined {
  const kept = isPlainObject(before) ? Object.entries(before) : [];
  const all = new Map(kept.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  for (const id of ids) {
    if (bias === 0) all.delete(String(id));
    else all.set(String(id), bias);
  }
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

function isTokenId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= highestId;
}

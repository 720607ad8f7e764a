import { hashText } from './replies.ts';

/**
 * Words that mean much the same in code. Each line is one meaning: its words share a feature, so that a question
 * in plain words comes near to code that says it in other ones.
 */
const MEANINGS = [
  'read load open fetch get',
  'write save store persist',
  'remove delete drop unlink erase clear',
  'parse decode deserialize unmarshal',
  'format encode serialize stringify marshal',
  'error failure fail exception fault',
  'user account member customer skipper',
  'retry again backoff attempt repeat',
  'file path document',
  'request http call query',
  'server service daemon backend',
  'send post publish dispatch emit notify',
  'email mail letter message',
  'button widget click',
  'render draw paint display show',
  'style css colour color theme',
  'test check assert verify validate',
  'login authenticate auth token session password',
  'secret key credential',
  'cache memo memoize',
  'database table sql schema db',
  'connect connection socket network',
  'config setting option preference',
  'start begin launch boot init',
  'stop end quit shutdown cancel abort',
  'price cost fee charge amount tariff invoice',
  'book reserve booking reservation berth',
  'tide water sea harbour harbor',
  'time date clock hour schedule',
  'wait sleep delay pause timeout',
  'sort order rank',
  'find search lookup match',
  'list array collection sequence',
  'make create build new add insert',
  'change update edit modify patch',
  'count number total sum',
  'log print trace',
  'thread worker concurrent parallel lock mutex',
  'copy clone backup duplicate',
  'round interpolate curve estimate predict forecast',
];
const MEANING_OF = new Map(
  MEANINGS.flatMap((line, index) => line.split(' ').map((word) => [stem(word), `meaning:${index}`] as const)),
);

/** Words of little weight: of the English sentence, and of nearly every program. */
const FAINT = new Set(
  `a an and are as at be by can did do does for from how i if in is it of on or our so that the then this to we what when where which
  who why with you your const let var function def func fn return import export public private static void int string null none
  true false self else class type new case switch break async await struct interface package use number bool char`.split(
    /\s+/,
  ),
);

/**
 * A vector that makes sense without a model: hashed words, their stems and meanings, and at lower weight the
 * character trigrams of the words; signed hashing; L2-normalised.
 * @returns float32 values, `dimensions` of them
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const weights = new Map<string, number>();
  for (const word of splitWords(text)) {
    const weight = FAINT.has(word) ? 0.01 : 1;
    const root = stem(word);
    add(weights, `stem:${root}`, weight);
    const meaning = MEANING_OF.get(root);
    if (meaning) add(weights, meaning, weight);
    if (weight === 1) for (const gram of trigrams(root)) add(weights, `gram:${gram}`, 0.01);
  }
  if (weights.size === 0) add(weights, `text:${text}`, 1);
  const vector = new Float64Array(dimensions);
  for (const [feature, weight] of weights) {
    const hash = hashText(feature);
    // The high bit gives the sign: features that fall into one place cancel out as often as they add up.
    const place = (hash & 0x7fffffff) % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 ? -1 : 1) * Math.sqrt(weight);
  }
  return normalise(vector);
}

/** `loadFile2(user_name)` → load, file, 2, user, name. */
export function splitWords(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return spaced.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
}

/** Light English stemming: enough to bring `retries`, `retried` and `retrying` together. */
export function stem(word: string): string {
  if (word.length < 5) return word.length === 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  const root = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ations?|ating|ated|ates?)$/, 'at')
    .replace(/(?:ings?|ed|es|er|ers|ly|ment|s)$/, '')
    .replace(/([^aeiou])\1$/, '$1')
    .replace(/e$/, '');
  return root.length >= 3 ? root : word;
}

function trigrams(word: string): string[] {
  const padded = `^${word}$`;
  return Array.from({ length: Math.max(0, padded.length - 2) }, (_, i) => padded.slice(i, i + 3));
}

function add(weights: Map<string, number>, feature: string, weight: number): void {
  weights.set(feature, (weights.get(feature) ?? 0) + weight);
}

function normalise(vector: Float64Array): Float32Array {
  const length = Math.hypot(...vector);
  // All features may have cancelled out; a vector of length 1 is promised all the same.
  if (length === 0) vector[0] = 1;
  return Float32Array.from(vector, (value) => value / (length || 1));
}

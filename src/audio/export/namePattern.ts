/** What the tokens of a pattern stand for. */
export interface NameTokens {
  /** The recording's name without its extension. */
  name: string;
  /** The extension of the file that is written, without the dot. */
  ext: string;
  /** The language of the text, such as `en`. */
  lang: string;
  /** The day of the translation, such as `2026-11-23`. */
  date: string;
}

/** Why a pattern cannot be used; the token is one that is not known. */
export type PatternProblem =
  | { reason: 'empty' | 'too-long' | 'path' | 'no-name' | 'no-ext' }
  | { reason: 'unknown-token'; token: string };

const longestPattern = 200;
/** The longest file name in bytes of UTF-8: disks take 255, and some programs write beside it with an ending of their own. */
const longestName = 240;
const token = /\{([^{}]*)\}/g;
const known: readonly string[] = ['name', 'ext', 'lang', 'date'] satisfies (keyof NameTokens)[];

/** What is wrong with a pattern such as `{name}.{lang}.{ext}`; undefined when nothing is. */
export function checkPattern(pattern: string): PatternProblem | undefined {
  if (pattern.trim() === '') return { reason: 'empty' };
  if (pattern.length > longestPattern) return { reason: 'too-long' };
  if (/[\\/]/.test(pattern)) return { reason: 'path' };
  const used = [...pattern.matchAll(token)].map(([, name = '']) => name);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined) return { reason: 'unknown-token', token: unknown };
  // Without them, one file would be written for all recordings, or formats.
  if (!used.includes('name')) return { reason: 'no-name' };
  return used.includes('ext') ? undefined : { reason: 'no-ext' };
}

/**
 * The file name by a pattern, never with a folder. It is one that Windows takes as well
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file); a long name of a recording is cut.
 */
export function fillPattern(pattern: string, tokens: NameTokens): string {
  const filled = (name: string): string =>
    plainName(
      pattern.slice(0, longestPattern).replace(token, (all, key: keyof NameTokens) => {
        return key === 'name' ? name : Object.hasOwn(tokens, key) ? tokens[key].slice(0, 32) : all;
      }),
    );
  const whole = tokens.name.slice(0, longestName);
  const excess = Buffer.byteLength(filled(whole)) - longestName;
  if (excess <= 0) return filled(whole);
  const times = pattern.split('{name}').length - 1 || 1;
  const short = cutBytes(whole, Math.max(1, Buffer.byteLength(whole) - Math.ceil(excess / times)));
  // A pattern may be too long without any name.
  return plainName(cutBytes(filled(short), longestName));
}

/** A text without what a file's name cannot have, or what would change how the name is shown. */
function plainName(text: string): string {
  const plain = text
    .replace(/[<>:"/\\|?*\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '_')
    .trim()
    .replace(/[. ]+$/, '');
  // Windows keeps these names for devices, with any extension.
  const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;
  return plain === '' ? '_' : plain.replace(device, '$&_');
}

/** The beginning of a text in at most so many bytes of UTF-8, without half a character at its end. */
function cutBytes(text: string, most: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    cut += character;
  }
  return cut;
}

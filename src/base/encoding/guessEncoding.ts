import { decoderOf, standardName } from './codePages.ts';
import { bitsOf } from './likelihood.ts';
import { candidates } from './writtenLanguages.ts';

/** Bytes of lines that are looked at; more lines change nothing any more. */
const probeBytes = 2 * 1024;

export interface GuessOptions {
  /** The encoding that the user says files are in, by any of its names: it is taken where the text does not clearly say another. */
  readonly preferred?: string | undefined;
  /** The only encodings that it may be; none or empty: any. */
  readonly among?: readonly string[] | undefined;
}

/** Encodings that differ from a common one in a few characters, by which none is told from the other. */
const groups: Readonly<Record<string, string>> = {
  'iso-8859-15': 'windows-1252',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
  'koi8-r': 'koi8-u',
};
const groupOf = (encoding: string): string => groups[encoding] ?? encoding;

/** Bits by which another encoding has to be better than the one that the user named. */
const trust = 12;

/**
 * The encoding, as the Encoding Standard names it, in which bytes that are no valid UTF-8 make the likeliest text: that in which a mark
 * of the wrong encoding, such as a capital within a word or a character that nobody uses, is missing.
 */
export function guessEncoding(bytes: Uint8Array, { preferred, among = [] }: GuessOptions = {}): string {
  const probe = linesBeyondAscii(bytes);
  const allowed = among.map((name) => groupOf(standardName(name)));
  const named = preferred === undefined ? undefined : standardName(preferred);
  const group = named && groupOf(named);
  let best = { encoding: 'utf-8', bits: utf8Bits(probe) };
  for (const { encoding: common, languages, rarity } of candidates) {
    const isNamed = common === group;
    if (allowed.length > 0 && !allowed.includes(common) && !isNamed) continue;
    const encoding = isNamed && named !== undefined ? named : common;
    const text = decoderOf(encoding)?.(probe);
    if (text === undefined) continue;
    for (const language of languages) {
      const offset = rarity - (isNamed ? trust : 0);
      const bits = offset + bitsOf(text, language, best.bits - offset);
      if (bits < best.bits) best = { encoding, bits };
    }
  }
  return best.encoding;
}

/** What broken UTF-8 has of valid characters speaks for it, as far as anybody uses them. */
function utf8Bits(probe: Uint8Array): number {
  let bits = 0;
  for (const character of new TextDecoder().decode(probe)) {
    const code = character.charCodeAt(0);
    const isRare = (code >= 0x250 && code < 0x370) || (code >= 0x700 && code < 0x900);
    if (code >= 0x80) bits += code === 0xfffd ? 20 : isRare ? 14 : code < 0x800 ? 7 : 10;
  }
  return bits;
}

/**
 * The lines with bytes beyond ASCII, up to a bound: in no encoding but UTF-16 is a line feed a part of a character. Of a line that is
 * longer, the part around its first such byte.
 */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = probeBytes;
  for (let at = 0; at < bytes.length && left > 0; ) {
    while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
    if (at === bytes.length) break;
    const start = Math.max(bytes.lastIndexOf(10, at) + 1, at - 64);
    const lineEnd = bytes.indexOf(10, at);
    const end = Math.min(lineEnd < 0 ? bytes.length : lineEnd + 1, start + left);
    parts.push(bytes.subarray(start, end));
    left -= end - start;
    at = end;
  }
  return Buffer.concat(parts);
}

import { candidates } from './writtenLanguages.ts';

export type Utf16 = 'utf-16le' | 'utf-16be';

/** Bytes that are looked at. */
const probeBytes = 4 * 1024;

/** Byte order by the mark at the begin. */
export function markedUtf16(bytes: Uint8Array): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/**
 * Byte order of a text in UTF-16 that has no mark; undefined where it is none. Bytes that are zero stand in one half of all places, as they
 * are the half of an ASCII character; without any, only characters that are in frequent use tell it. A last odd byte is passed over.
 */
export function unmarkedUtf16(bytes: Uint8Array): Utf16 | undefined {
  const probe = bytes.subarray(0, Math.min(probeBytes, bytes.length & ~1));
  const zeros = [0, 0];
  for (let at = 0; at < probe.length; at++) if (probe[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [high = 0, low = 0] = zeros;
  if (high > 0 && low > 0) return undefined;
  const orders: Utf16[] = high > 0 ? ['utf-16be'] : low > 0 ? ['utf-16le'] : ['utf-16le', 'utf-16be'];
  return orders.find((order) => isText(new TextDecoder(order).decode(probe), high + low > 0));
}

/** Controls but for line ends and tabs, halves of pairs, and what has no meaning. A pair may be cut at the end of the probe. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const noText = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufff0-\uffff]|\p{Co}|\p{Cn}|\p{Cs}(?!$)/u;

/** @param hasAscii nearly all texts have it: where there is none, each character counts */
function isText(text: string, hasAscii: boolean): boolean {
  const whole = text.replace(/[\ud800-\udfff\ufffd]$/, '');
  if (whole === '' || noText.test(whole)) return false;
  const beyond = [...whole].filter((character) => character > '\x7f');
  const isCommon = isCommonIn(frequent(), beyond);
  return hasAscii ? isCommon >= 0.5 : beyond.length >= 4 && isCommon >= 0.9;
}

/** The share of characters that are frequent, or marks; 1 where there are none at all. */
function isCommonIn(known: ReadonlySet<number>, characters: readonly string[]): number {
  if (characters.length === 0) return 1;
  const isMark = (code: number): boolean =>
    (code >= 0xa0 && code < 0x180) ||
    (code >= 0x2010 && code < 0x2600) ||
    (code >= 0x3000 && code < 0x3018) ||
    code >= 0xff01;
  const common = characters.filter((character) => {
    const code = character.charCodeAt(0);
    return known.has(code) || isMark(code) || character.length === 2;
  });
  return common.length / characters.length;
}

let all: ReadonlySet<number> | undefined;
function frequent(): ReadonlySet<number> {
  all ??= new Set(candidates.flatMap(({ languages }) => languages.flatMap(({ bits }) => [...bits.keys()])));
  return all;
}

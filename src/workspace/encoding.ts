/** Bytes searched for NUL, as in git. */
const probeBytes = 8 * 1024;

/**
 * The text of a file, as an editor would read it: UTF-8; UTF-16 where it is marked, or where every other byte is zero;
 * else a Japanese encoding in which the text has kana; and, where no character is valid UTF-8, Windows-1252, which
 * includes Latin-1. Broken UTF-8 keeps its valid part, with U+FFFD for the rest. Undefined: not text.
 */
export function decode(bytes: Uint8Array): string | undefined {
  const wide = utf16(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  if (bytes.subarray(0, probeBytes).includes(0)) return undefined;
  const text = new TextDecoder().decode(bytes);
  const broken = countOf(text, /\ufffd/g);
  if (broken === 0) return text;
  const good = countOf(text, /[\u0080-\ufffc]/g);
  const japanese = good < broken ? decodeJapanese(bytes) : undefined;
  return japanese ?? (good === 0 ? new TextDecoder('windows-1252').decode(bytes) : text);
}

const countOf = (text: string, shape: RegExp): number => text.match(shape)?.length ?? 0;

/**
 * Decodes a Japanese encoding, recognised by kana, whose bytes no western text has. Without kana, the encoding is
 * unknown.
 */
function decodeJapanese(bytes: Uint8Array): string | undefined {
  for (const encoding of ['shift_jis', 'euc-jp']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (/[\u3041-\u30fe]/.test(text) && !/[\ue000-\uf8ff]/.test(text)) return text;
    } catch {
      // The bytes are not valid in this encoding.
    }
  }
  return undefined;
}

function utf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const probe = bytes.subarray(0, 512);
  if (bytes.length < 2 || bytes.length % 2 !== 0 || !probe.includes(0)) return undefined;
  const allZero = (parity: number): boolean => probe.every((byte, index) => (byte === 0) === (index % 2 === parity));
  if (allZero(1)) return 'utf-16le';
  return allZero(0) ? 'utf-16be' : undefined;
}

/** Kept: to make one takes longer than to read a token with it, of which an answer may have hundreds of thousands. */
const [lenient, strict] = [new TextDecoder(), new TextDecoder('utf-8', { fatal: true })];

/** The text of bytes of UTF-8; what is none of it is U+FFFD. */
export function decodeBytes(bytes: readonly number[]): string {
  return isAscii(bytes) ? String.fromCharCode(...bytes) : lenient.decode(Uint8Array.from(bytes));
}

/** Whether bytes are whole characters of UTF-8. */
export function isWholeText(bytes: readonly number[]): boolean {
  if (isAscii(bytes)) return true;
  try {
    strict.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

function isAscii(bytes: readonly number[]): boolean {
  for (const byte of bytes) if (byte > 0x7f) return false;
  return true;
}

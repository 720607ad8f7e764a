import { isAscii, isUtf8 } from 'node:buffer';
import { decoderOf, standardName } from './codePages.ts';
import { guessEncoding } from './guessEncoding.ts';
import { markedUtf16, unmarkedUtf16 } from './utf16.ts';

/** Bytes searched for NUL, as in git. */
const probeBytes = 8 * 1024;

/** Nearly all files are in it. */
const utf8 = new TextDecoder();

/** What the user's settings say of a file's encoding: VS Code's `files.encoding`, `files.autoGuessEncoding`, `files.candidateGuessEncodings`. */
export interface EncodingSetting {
  /** By VS Code's name; undefined: UTF-8, VS Code's default. */
  readonly encoding?: string | undefined;
  /** What the bytes look like goes before `encoding`. */
  readonly guess?: boolean | undefined;
  /** The only encodings that a guess may have. */
  readonly candidates?: readonly string[] | undefined;
}

/**
 * The text of a file: this is the one place where bytes of the user's files become text. A mark at the begin says what it is; then the
 * setting does, as in the editor; then valid UTF-8 is UTF-8, and all else what it is likeliest to be. Bytes that are no valid text of their
 * encoding are U+FFFD each. Never throws. Undefined: not text.
 */
export function decode(bytes: Uint8Array, setting?: EncodingSetting): string | undefined {
  const encoding = encodingOf(bytes, setting);
  return encoding === undefined ? undefined : decodeAs(bytes, encoding);
}

/** The text of bytes in an encoding, by its name in VS Code or in the Encoding Standard; one that is unknown is taken for UTF-8. */
export function decodeAs(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'utf-8') return utf8.decode(bytes);
  return decoderOf(encoding)?.(bytes) ?? utf8.decode(bytes);
}

/** The encoding of a file, as the Encoding Standard names it. Undefined: not text. */
export function encodingOf(
  bytes: Uint8Array,
  { encoding, guess, candidates }: EncodingSetting = {},
): string | undefined {
  const marked = markedUtf16(bytes);
  if (marked !== undefined) return marked;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const named = known(encoding);
  const zero = bytes.indexOf(0);
  if (zero >= 0 && zero < probeBytes) {
    return unmarkedUtf16(bytes) ?? (named?.startsWith('utf-16') ? named : undefined);
  }
  const isValid = isUtf8(bytes);
  if (isValid && (named === undefined || guess === true || isAscii(bytes))) return 'utf-8';
  if (named !== undefined && guess !== true) return isValid && hasBroken(bytes, named) ? 'utf-8' : named;
  return unmarkedUtf16(bytes) ?? guessEncoding(bytes, { preferred: named, among: guess === true ? candidates : [] });
}

/** An encoding other than UTF-8 that can be read; undefined for all else. */
function known(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const encoding = standardName(name);
  return encoding === 'utf-8' || decoderOf(encoding) === undefined ? undefined : encoding;
}

/** Whether bytes are no valid text in an encoding: a file in UTF-8 in a folder of another is shown as what it is. */
const hasBroken = (bytes: Uint8Array, encoding: string): boolean => decodeAs(bytes, encoding).includes('\ufffd');

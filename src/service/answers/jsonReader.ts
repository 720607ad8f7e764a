import { isJsonSpace } from '../../base/jsonText.ts';
import { createJsonBuilder, type JsonBounds, type JsonState } from './jsonBuilder.ts';

/** Reads one JSON text (RFC 8259) in pieces, so that no piece takes long however long the text. */
export interface JsonReader {
  /** Takes more of the text, and gives how much of it belonged to the value: less than all once the value has ended. */
  feed(text: string): number;
  /** Ends the text, which completes a number at its end. */
  end(): void;
  readonly state: JsonState;
  /** The value that was read, once it is whole. */
  readonly value: unknown;
}

/** The longest number, in characters; no caller reads a longer one. */
const maxNumber = 1_000;
const [quote, backslash, letterU] = [0x22, 0x5c, 0x75];

export function createJsonReader(bounds: JsonBounds): JsonReader {
  const builder = createJsonBuilder(bounds);
  const { wantsValue, takeMark, putString, putToken } = builder;
  let length = 0;
  let inString = false;
  /** The part of a string or a number read so far. */
  let token = '';
  let inToken = false;
  /** The escape that the last piece broke off in. */
  let held = '';

  function endToken(): void {
    inToken = false;
    putToken(token);
    token = '';
  }

  /** Goes through a string from `at`; gives the place after its quote, or the end of the text. */
  function readString(text: string, at: number): number {
    const start = at;
    let hasEscape = false;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code < 0x20) builder.fail('broken');
      if (code !== backslash) continue;
      const size = text.charCodeAt(at + 1) === letterU ? 6 : 2;
      if (at + size > text.length) {
        held = text.slice(at);
        break;
      }
      hasEscape = true;
      at += size - 1;
    }
    if (builder.wantsText()) token += hasEscape ? unescaped(text.slice(start, at)) : text.slice(start, at);
    if (at === text.length || held !== '') return text.length;
    inString = false;
    putString(token);
    token = '';
    return at + 1;
  }

  function unescaped(inside: string): string {
    try {
      return JSON.parse(`"${inside}"`);
    } catch {
      builder.fail('broken');
      return '';
    }
  }

  function read(text: string): number {
    let at = 0;
    while (at < text.length && builder.state === 'open') {
      if (inString) {
        at = readString(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (isTokenPart(code) && (inToken || wantsValue())) {
        const start = at;
        while (at < text.length && isTokenPart(text.charCodeAt(at))) at++;
        token += text.slice(start, at);
        inToken = true;
        if (token.length > maxNumber) builder.fail('broken');
      } else if (inToken) endToken();
      else {
        if (code > 0x20) inString = takeMark(code);
        else if (!isJsonSpace(code)) builder.fail('broken');
        at++;
      }
    }
    return at;
  }

  return {
    feed(text) {
      if (builder.state !== 'open') return 0;
      length += text.length;
      if (length > bounds.text) {
        builder.fail('too-large');
        return 0;
      }
      const before = held;
      held = '';
      return read(before + text) - before.length;
    },
    end() {
      if (builder.state === 'open' && inToken) endToken();
    },
    get state() {
      return builder.state;
    },
    get value() {
      return builder.value;
    },
  };
}

/** Letters, digits and signs, of which numbers and `true`, `false`, `null` are made. */
function isTokenPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e
  );
}

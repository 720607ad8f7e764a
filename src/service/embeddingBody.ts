import { bodyLimit, parseJson, readJson } from './json.ts';
import { readNumbers } from './jsonNumbers.ts';
import { isPlainObject } from './jsonText.ts';
import type { ServiceResponse } from './transport.ts';

/**
 * Reads the answer to a request for embeddings as `readJson` does, but for the vectors: what stands under `embedding` as a list
 * of numbers is read as it arrives, and is a Float32Array in the value that is given. So the answer is never held whole as
 * text, nor its numbers as objects, and however many vectors it has, no moment takes long.
 */
export async function readEmbeddingBody(response: ServiceResponse, key: string | undefined): Promise<unknown> {
  const [, charset = 'utf-8'] = /charset="?([^\s";]+)/i.exec(response.headers['content-type'] ?? '') ?? [];
  // In another one, a byte may be a part of a character only.
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) return readJson(response, key);
  const reader = createReader();
  let size = 0;
  for await (const bytes of response.body) {
    reader.take(bytes);
    size += bytes.length;
    if (size > bodyLimit) break;
  }
  const { text, vectors } = reader.end();
  const value = parseJson(text, response, key);
  putBack(value, vectors);
  return value;
}

interface Reader {
  take(bytes: Uint8Array): void;
  end(): { text: string; vectors: Float32Array[] };
}

const [quote, backslash, colon, openBracket, closeBracket] = [0x22, 0x5c, 0x3a, 0x5b, 0x5d];
/** The name of a vector with each of its characters escaped is no longer. */
const longestName = 54;
/** Numbers of the first vector; the others have as many as the one before. */
const expected = 1024;

/**
 * Takes the lists of numbers under `embedding` out of JSON. In the text that is left each is a list of one number, its place
 * among `vectors`; no other list under that name has one number alone.
 */
function createReader(): Reader {
  const decoder = new TextDecoder();
  const vectors: Float32Array[] = [];
  let text = '';
  let inString = false;
  let isEscaped = false;
  /** The last string, when nothing but a colon has followed. */
  let name = '';
  let isNamed = false;
  /** The pieces of a list that may be a vector, while it has no end. */
  let list: Uint8Array[] | undefined;

  const keep = (bytes: Uint8Array): void => {
    text += decoder.decode(bytes, { stream: true });
  };

  /** Goes through JSON to the end, or to after the bracket of a list under `embedding` where those are sought; gives the place. */
  function scan(bytes: Uint8Array, from: number, seeks: boolean): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (inString) {
        inString = isEscaped || byte !== quote;
        isEscaped = !isEscaped && byte === backslash;
        if (inString && name.length <= longestName) name += String.fromCharCode(byte);
      } else if (byte === quote) {
        inString = true;
        isNamed = false;
        name = '';
      } else if (byte === colon) {
        isNamed = true;
      } else if (byte === openBracket && seeks && isNamed && isEmbedding(name)) {
        list = [];
        name = '';
        return at + 1;
      } else if (byte > 0x20) {
        name = '';
      }
    }
    return bytes.length;
  }

  function takeList(pieces: readonly Uint8Array[]): void {
    const [first = new Uint8Array()] = pieces;
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces);
    const vector = readNumbers(bytes, 0, bytes.length - 1, vectors.at(-1)?.length ?? expected);
    if (vector === undefined) {
      // A list in it is none that anybody looks at.
      scan(bytes, 0, false);
      keep(bytes);
    } else {
      text += `${vectors.length}]`;
      vectors.push(vector);
    }
  }

  return {
    take(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const start = at;
        if (list === undefined) {
          at = scan(bytes, start, true);
          keep(bytes.subarray(start, at));
          continue;
        }
        const end = bytes.indexOf(closeBracket, start);
        at = end < 0 ? bytes.length : end + 1;
        list.push(bytes.subarray(start, at));
        if (end < 0) continue;
        takeList(list);
        list = undefined;
      }
    },
    end() {
      for (const piece of list ?? []) keep(piece);
      return { text: text + decoder.decode(), vectors };
    },
  };
}

function isEmbedding(name: string): boolean {
  if (!name.includes('\\')) return name === 'embedding';
  try {
    return JSON.parse(`"${name}"`) === 'embedding';
  } catch {
    return false;
  }
}

/** Puts the vectors where the lists of their places stand. */
function putBack(value: unknown, vectors: readonly Float32Array[]): void {
  const items: unknown = isPlainObject(value) ? value['data'] : undefined;
  for (const item of Array.isArray(items) ? items : []) {
    const list: unknown = isPlainObject(item) ? item['embedding'] : undefined;
    if (!Array.isArray(list) || list.length !== 1 || typeof list[0] !== 'number') continue;
    (item as Record<string, unknown>)['embedding'] = vectors[list[0]];
  }
}

import { readCharset } from '../../base/encoding/charset.ts';
import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import { answerBounds, createJsonBody, type JsonBody, readJson, tooLarge } from '../answers/readAnswer.ts';
import type { ServiceResponse } from '../request.ts';
import { decodeBase64 } from './embeddingAnswer.ts';
import { readNumbers } from './jsonNumbers.ts';

/** The most numbers of a vector: many times what any model gives. */
const mostNumbers = 65_536;
/** The most bytes of a vector that is written out. */
const longestList = 24 * mostNumbers;
/** The most numbers of an answer: 2,048 vectors of 5,888. */
const mostInAll = 12_000_000;
/** A shorter text under `embedding` is left where it is. */
const shortText = 1_024;

/**
 * Reads the answer to a request for embeddings as `readJson` does, but for the vectors: what stands under `embedding` as a list
 * of numbers, or as a long text in base64, is read as it arrives, and is a Float32Array in the value that is given. So the
 * answer is never held whole as text, nor its numbers as objects, and however many vectors it has, no moment takes long.
 * @param count how many vectors there may be
 */
export async function readEmbeddingBody(
  response: ServiceResponse,
  key: string | undefined,
  count = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  // A byte may be only a part of a character in another charset.
  if (readCharset(response.headers['content-type']) !== 'utf-8') return readJson(response, key);
  const json = createJsonBody(response, key, answerBounds);
  const tooMuch = (hint: string): never => {
    throw new ServiceError('malformed', { url: response.url, hint });
  };
  const reader = createReader(json, count, tooMuch);
  for await (const bytes of response.body) if (!reader.take(bytes)) break;
  const vectors = reader.end();
  const value = json.end();
  putBack(value, vectors);
  return value;
}

interface Reader {
  /** False when no more is needed. */
  take(bytes: Uint8Array): boolean;
  end(): Float32Array[];
}

const [quote, backslash, colon, openBracket, closeBracket] = [0x22, 0x5c, 0x3a, 0x5b, 0x5d];
/** The start of a text that stands for a vector, and the same in JSON; no text of the service that begins with it is kept. */
const [mark, textMark] = ['\0', '\\u0000'];
/** The longest form of the name of a vector: each of its characters escaped. */
const longestName = 54;
/** Numbers that are expected of the first vector; later ones are expected to have as many as the one before. */
const expected = 1024;

/**
 * Takes the vectors under `embedding` out of JSON, and hands the text that is left to `json`: in it each is a list of one
 * number, its place among `vectors`, or a text of `mark` and that place. No other list under that name has one number alone.
 */
function createReader(json: JsonBody, count: number, tooMuch: (hint: string) => never): Reader {
  const decoder = new TextDecoder();
  const vectors: Float32Array[] = [];
  let numbers = 0;
  let inString = false;
  let isEscaped = false;
  /** The last string, when nothing but a colon has followed. */
  let name = '';
  let isNamed = false;
  /** The pieces of a possible vector whose end has not come, and the byte that ends it. */
  let found: { pieces: Uint8Array[]; length: number; end: number } | undefined;
  let goesOn = true;

  const keep = (bytes: Uint8Array): void => {
    goesOn = json.take(decoder.decode(bytes, { stream: true }));
  };
  const seek = (end: number): void => {
    found = { pieces: [], length: 0, end };
    isNamed = false;
    name = '';
  };

  /** Goes through JSON to the end, or to after the start of what is called `embedding` where that is sought; gives the place. */
  function scan(bytes: Uint8Array, from: number, seeks: boolean): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (inString) {
        inString = isEscaped || byte !== quote;
        isEscaped = !isEscaped && byte === backslash;
        if (inString && name.length <= longestName) name += String.fromCharCode(byte);
      } else if (byte === quote) {
        inString = true;
        if (seeks && isNamed && isEmbedding(name)) {
          seek(quote);
          return at + 1;
        }
        isNamed = false;
        name = '';
      } else if (byte === colon) {
        isNamed = true;
      } else if (byte === openBracket && seeks && isNamed && isEmbedding(name)) {
        seek(closeBracket);
        return at + 1;
      } else if (byte > 0x20) {
        name = '';
      }
    }
    return bytes.length;
  }

  function takeFound({ pieces, end }: NonNullable<typeof found>): void {
    const [first = new Uint8Array()] = pieces;
    const bytes = pieces.length === 1 ? first : Buffer.concat(pieces);
    const isText = end === quote;
    const vector = isText
      ? readBase64(bytes)
      : readNumbers(bytes, 0, bytes.length - 1, vectors.at(-1)?.length ?? expected);
    if (vector === undefined) {
      // A list within it is not a vector, so none is sought.
      scan(bytes, 0, false);
      keep(bytes);
      return;
    }
    inString = false;
    numbers += vector.length;
    if (vector.length > mostNumbers || numbers > mostInAll || vectors.length >= count) tooMuch(tooLarge);
    goesOn = json.take(isText ? `${textMark}${vectors.length}"` : `${vectors.length}]`);
    vectors.push(vector);
  }

  return {
    take(bytes) {
      for (let at = 0; at < bytes.length && goesOn; ) {
        const start = at;
        if (found === undefined) {
          at = scan(bytes, start, true);
          keep(bytes.subarray(start, at));
          continue;
        }
        const end = bytes.indexOf(found.end, start);
        at = end < 0 ? bytes.length : end + 1;
        found.pieces.push(bytes.subarray(start, at));
        found.length += at - start;
        if (found.length > longestList) tooMuch(tooLarge);
        if (end < 0) continue;
        takeFound(found);
        found = undefined;
      }
      return goesOn;
    },
    end() {
      for (const piece of found?.pieces ?? []) keep(piece);
      json.take(decoder.decode());
      return vectors;
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
    const place = Array.isArray(list) && list.length === 1 ? list[0] : placeInText(list);
    if (typeof place === 'number') (item as Record<string, unknown>)['embedding'] = vectors[place];
  }
}

function placeInText(text: unknown): number | undefined {
  return typeof text === 'string' && text.startsWith(mark) ? Number(text.slice(mark.length)) : undefined;
}

/** @param bytes end with the quote. Undefined for a short text, and for one that is no base64. */
function readBase64(bytes: Uint8Array): Float32Array | undefined {
  if (bytes.length < shortText) return undefined;
  return decodeBase64(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 1).toString('latin1'));
}

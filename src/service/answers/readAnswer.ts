import { readCharset } from '../../base/encoding/charset.ts';
import { ServiceError } from '../../base/errors.ts';
import { readErrorBody } from '../errors/errorBody.ts';
import { errorInBody } from '../errors/errorFromAnswer.ts';
import { htmlTitle, isHtml } from '../errors/htmlPage.ts';
import type { ServiceResponse } from '../request.ts';
import type { JsonBounds } from './jsonBuilder.ts';
import { createJsonReader } from './jsonReader.ts';

/** Bounds of a one-shot JSON answer whose kind has none of its own. */
export const answerBounds: JsonBounds = { text: 8 * 1024 * 1024, weight: 24 * 1024 * 1024 };

/**
 * Reads a one-shot JSON answer, in pieces as it arrives. A web page, an error in disguise (status 200 with an error body),
 * a body that is not JSON and one beyond its bounds each throw an error of their own.
 */
export async function readJson(
  response: ServiceResponse,
  key: string | undefined,
  bounds: JsonBounds = answerBounds,
): Promise<unknown> {
  const body = createJsonBody(response, key, bounds);
  const decoder = new TextDecoder(readCharset(response.headers['content-type']));
  for await (const bytes of response.body) if (!body.take(decoder.decode(bytes, { stream: true }))) break;
  body.take(decoder.decode());
  return body.end();
}

/** `hint` of a body that is not JSON. */
export const notJson = 'no JSON';
/** `hint` of a body beyond its bounds. */
export const tooLarge = 'too large';

/** Characters of a body that are kept as text, to tell a web page and find its title. */
const startLength = 64 * 1024;

/** A one-shot JSON answer while it arrives. */
export interface JsonBody {
  /** Takes more of its text; false when no more is needed. */
  take(text: string): boolean;
  /** The value. @throws ServiceError as `readJson` does */
  end(): unknown;
}

export function createJsonBody(
  { url }: Pick<ServiceResponse, 'url'>,
  key: string | undefined,
  bounds: JsonBounds,
): JsonBody {
  const reader = createJsonReader(bounds);
  let start = '';
  let length = 0;
  let isFollowed = false;
  return {
    take(text) {
      if (start.length < startLength) start += text.slice(0, startLength - start.length);
      length += text.length;
      const used = reader.feed(text);
      if (reader.state === 'whole' && text.slice(used).trim() !== '') isFollowed = true;
      if (length > bounds.text || reader.state === 'too-large') return false;
      return (reader.state !== 'broken' && !isFollowed) || start.length < startLength;
    },
    end() {
      if (isHtml(start)) throw new ServiceError('login-page', { url, hint: htmlTitle(start) });
      reader.end();
      const { state, value } = reader;
      if (length > bounds.text || state === 'too-large') throw new ServiceError('malformed', { url, hint: tooLarge });
      if (state !== 'whole' || isFollowed) {
        throw new ServiceError('malformed', { url, hint: start.trim() === '' ? 'empty body' : notJson });
      }
      if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
        const error = readErrorBody(value);
        if (error !== undefined) throw errorInBody(error, { url, key });
      }
      return value;
    },
  };
}

/**
 * Throws for JSON that is not the answer that was asked for: the error it holds in one of the shapes without `error`
 * (`{detail}`, `{object: "error", message}`, …), or `malformed`.
 * @param hint what was missed, for the log
 */
export function failUnread(
  value: unknown,
  { url }: Pick<ServiceResponse, 'url'>,
  key: string | undefined,
  hint: string,
): never {
  const error = readErrorBody(value);
  throw error === undefined ? new ServiceError('malformed', { url, hint }) : errorInBody(error, { url, key });
}

import { errorInBody, htmlTitle, isHtml, readErrorBody } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { readText, type ServiceResponse } from './transport.ts';

/** The largest one-shot answer that is read: 2,048 embeddings of 4,096 dimensions written out fit. */
export const bodyLimit = 256 * 1024 * 1024;

/**
 * Reads a one-shot JSON answer. A web page, an error in disguise (status 200 with an error body) and a body that is no
 * JSON are thrown for what they are.
 */
export async function readJson(response: ServiceResponse, key: string | undefined): Promise<unknown> {
  return parseJson(await readText(response.body, bodyLimit), response, key);
}

/** `hint` of a body that is something else than JSON. */
export const notJson = 'no JSON';

/** The same for a body that has been read. */
export function parseJson(text: string, { url }: Pick<ServiceResponse, 'url'>, key: string | undefined): unknown {
  if (isHtml(text)) throw new ServiceError('login-page', { url, hint: htmlTitle(text) });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError('malformed', { url, hint: text.trim() === '' ? 'empty body' : notJson });
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
    const error = readErrorBody(value);
    if (error !== undefined) throw errorInBody(error, { url, key });
  }
  return value;
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

import { errorInBody, htmlTitle, isHtml, readErrorBody } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { readText, type ServiceResponse } from './transport.ts';

/** The largest one-shot answer that is read: 2,048 embeddings of 4,096 dimensions written out fit. */
const bodyLimit = 256 * 1024 * 1024;

/**
 * Reads a one-shot JSON answer. A web page, an error in disguise (status 200 with an error body) and a body that is no
 * JSON are thrown for what they are.
 */
export async function readJson(response: ServiceResponse, key: string | undefined): Promise<unknown> {
  const text = await readText(response.body, bodyLimit);
  const { url } = response;
  if (isHtml(text)) throw new ServiceError('login-page', { url, hint: htmlTitle(text) });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError('malformed', { url });
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
    const error = readErrorBody(value);
    if (error !== undefined) throw errorInBody(error, { url, key });
  }
  return value;
}

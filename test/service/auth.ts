import type { IncomingMessage } from 'node:http';
import { Refusal } from './replies.ts';

export const DEFAULT_KEY = 'sk-parley-reference-0000';

/**
 * Section 5 of the API: `Authorization: Bearer <key>` on every operation.
 * @throws Refusal 401, with no part of the key in its text
 */
export function checkKey(request: IncomingMessage, key: string | null): void {
  if (key === null) return;
  const header = request.headers.authorization;
  const about = { type: 'invalid_request_error', code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } };
  if (header === undefined) throw new Refusal(401, 'You did not provide an API key.', about);
  const given = /^Bearer ([^\s]+)$/.exec(header)?.[1];
  if (given === undefined) throw new Refusal(401, 'The Authorization header is not of the form "Bearer <key>".', about);
  if (given !== key) throw new Refusal(401, 'Invalid API key.', about);
}

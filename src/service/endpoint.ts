import { ServiceError } from '../base/errors.ts';
import type { ApiKey } from './apiKey.ts';

/** A service, and the key it is asked with. */
export interface ServiceAccess {
  /** Normalised base URL, up to and with the version segment, without a trailing slash. */
  readonly baseUrl: string;
  /** Absent for a service that needs none. */
  readonly apiKey?: ApiKey | undefined;
}

/** The service, key and model of a request. */
export interface Endpoint extends ServiceAccess {
  readonly model: string;
}

export type AddressProblem = 'empty' | 'invalid' | 'scheme' | 'credentials';
export type Address = { ok: true; baseUrl: string } | { ok: false; problem: AddressProblem };

/** Endpoint paths that people paste along with the base URL. */
const pastedPaths =
  /\/(chat\/completions|completions|embeddings|audio\/(translations|transcriptions|speech)|models|responses)$/i;

/**
 * The base URL that a person typed or pasted. White space, quotes, trailing slashes, a query, a fragment and a
 * pasted endpoint path are taken off; a missing scheme becomes http for this machine and https elsewhere. A version
 * segment is never invented: a service may well have none.
 */
export function normaliseBaseUrl(typed: string): Address {
  let text = typed
    .trim()
    .replace(/^(['"`<])(.*)['"`>]$/s, '$2')
    .trim();
  if (text === '') return { ok: false, problem: 'empty' };
  if (/\s/.test(text)) return { ok: false, problem: 'invalid' };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) text = `${isLoopbackHost(hostOf(text)) ? 'http' : 'https'}://${text}`;
  const url = URL.parse(text);
  if (!url?.hostname) return { ok: false, problem: 'invalid' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  const path = url.pathname.replace(/\/+$/, '').replace(pastedPaths, '').replace(/\/+$/, '');
  return { ok: true, baseUrl: url.origin + path };
}

/**
 * The base URLs that a normalised one may mean: itself and, where it has no version segment, the one with `/v1`,
 * which most services have.
 */
export function possibleBaseUrls(baseUrl: string): string[] {
  const hasVersion = /\/v\d+([a-z]+\d*)?(\/|$)/i.test(new URL(baseUrl).pathname);
  return hasVersion ? [baseUrl] : [baseUrl, `${baseUrl}/v1`];
}

function hostOf(text: string): string {
  return URL.parse(`http://${text}`)?.hostname ?? '';
}

/** The origin (scheme, host, port) of a normalised base URL. Keys are kept by it. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Whether the address is this machine: such a service needs no key, and plain http is safe. */
export function isLoopback(baseUrl: string): boolean {
  return isLoopbackHost(new URL(baseUrl).hostname);
}

/**
 * Gives the service back.
 * @param variable where the key was looked for last: an environment variable that is not set
 * @throws ServiceError `no-key` where another machine would be asked without one
 */
export function requireKey(service: ServiceAccess, variable?: string): ServiceAccess {
  const { baseUrl, apiKey } = service;
  if (apiKey === undefined && !isLoopback(baseUrl)) throw new ServiceError('no-key', { url: baseUrl, param: variable });
  return service;
}

/** Whether a key sent there could be read on the way: plain http to another machine. */
export function isInsecure(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'http:' && !isLoopback(baseUrl);
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

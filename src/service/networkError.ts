import { type ErrorKind, ServiceError } from './errors.ts';

/** Codes of Node, OpenSSL and undici, by what they mean to a person. */
const kindByCode: Record<string, ErrorKind> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CLOSED: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  HPE_INVALID_CONSTANT: 'malformed',
  EPROTO: 'tls',
};
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/;

/** Errors of the connect phase: nothing was sent, so asking again costs nothing. */
const connectCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Every code in an error's chain of causes; AggregateError (two addresses refused) carries its codes in `errors`. */
export function errorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 6) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const own = typeof code === 'string' ? [code] : [];
  const nested = Array.isArray(errors) ? errors.slice(0, 4) : [];
  return [...own, ...[cause, ...nested].flatMap((inner) => errorCodes(inner, depth + 1))];
}

/** The error for a failure on the way to or from the service. The original text is left out: it may quote headers. */
export function networkError(error: unknown, url: string): ServiceError {
  if (error instanceof ServiceError) return error;
  // A file of an upload was changed or removed while it was read.
  if (chainHas(error, (each) => each.name === 'NotReadableError')) return new ServiceError('file-missing', { url });
  const codes = errorCodes(error);
  const code = codes.find((each) => kindByCode[each] !== undefined || tlsCode.test(each)) ?? codes[0];
  if (isProxyFailure(error)) return new ServiceError('proxy', { url, hint: code });
  const kind: ErrorKind = code === undefined ? 'reset' : (kindByCode[code] ?? (tlsCode.test(code) ? 'tls' : 'reset'));
  return new ServiceError(kind, { url, hint: code, message: code });
}

/** Whether the failure came before anything was sent. */
export function isConnectFailure(error: unknown): boolean {
  return errorCodes(error).some((code) => connectCodes.has(code));
}

function isProxyFailure(error: unknown): boolean {
  return chainHas(error, (each) => /proxy response \(\d+\)|proxy.*tunnel/i.test(each.message));
}

function chainHas(error: unknown, test: (error: Error) => boolean, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 6) return false;
  return test(error) || chainHas(error.cause, test, depth + 1);
}

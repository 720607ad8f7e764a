import { type ErrorKind, ServiceError } from '../../base/errors.ts';

/** Codes of Node, OpenSSL and undici, by what they mean to a person. */
const kindByCode: Record<string, ErrorKind> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENETUNREACH: 'refused',
  ENETDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ENOTCONN: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CLOSED: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'malformed',
  ERR_CONTENT_CODING: 'malformed',
  UND_ERR_PRX_TLS: 'proxy',
  EPROTO: 'tls',
};
const codeShapes: readonly (readonly [RegExp, ErrorKind])[] = [
  [
    /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERR_OSSL)/,
    'tls',
  ],
  // llhttp could not read the answer: no HTTP at all, or TLS where none was expected.
  [/^HPE_/, 'malformed'],
  // The editor's way unpacks by itself; a packed body that is cut (Z_BUF_ERROR) is a lost connection.
  [/^(Z_DATA_ERROR|Z_NEED_DICT|ZSTD_|ERR__ERROR_FORMAT)/, 'malformed'],
  [/^ERR_HTTP2/, 'reset'],
];

/** Errors of the connect phase: nothing was sent, so a retry costs nothing. */
const connectCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An error, and all it was caused by: `cause`, and `errors` where several addresses failed. Bounded, as they may loop. */
function* chain(error: unknown, depth = 0): Generator<{ code?: unknown; name?: unknown; message?: unknown }> {
  if (typeof error !== 'object' || error === null || depth > 6) return;
  yield error;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  for (const inner of [cause, ...(Array.isArray(errors) ? errors.slice(0, 4) : [])]) yield* chain(inner, depth + 1);
}

/** Every code in an error's chain of causes. */
function errorCodes(error: unknown): string[] {
  return [...chain(error)].flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
}

function kindOfCode(code: string): ErrorKind | undefined {
  return kindByCode[code] ?? codeShapes.find(([shape]) => shape.test(code))?.[1];
}

/**
 * The error for a failure on the way to or from the service; its code is the `hint`. The original text is left out: it may
 * quote headers.
 */
export function networkError(error: unknown, url: string): ServiceError {
  if (error instanceof ServiceError) return error;
  // A file of an upload was changed or removed while it was read.
  if ([...chain(error)].some(({ name }) => name === 'NotReadableError'))
    return new ServiceError('file-missing', { url });
  // undici 7 leaves out the code of an answer that is no HTTP.
  if ([...chain(error)].some(({ name }) => name === 'HTTPParserError')) {
    return new ServiceError('malformed', { url, hint: 'HPE', message: 'HPE' });
  }
  const codes = errorCodes(error);
  const code = codes.find((each) => kindOfCode(each) !== undefined) ?? codes[0];
  const proxyStatus = proxyStatusOf(error);
  if (proxyStatus !== undefined) return new ServiceError('proxy', { url, hint: proxyStatus || code });
  const kind = (code === undefined ? undefined : kindOfCode(code)) ?? 'reset';
  return new ServiceError(kind, { url, hint: code, message: code });
}

/** Whether the failure came before anything was sent. */
export function isConnectFailure(error: unknown): boolean {
  return errorCodes(error).some((code) => connectCodes.has(code));
}

/** The status a proxy answered CONNECT with; '' when it failed in another way, undefined when no proxy failed. */
function proxyStatusOf(error: unknown): string | undefined {
  for (const { message } of chain(error)) {
    const found = /proxy response \((\d+)\)|proxy.*tunnel|ERR_(?:PROXY|TUNNEL)_\w+/i.exec(String(message ?? ''));
    if (found) return found[1] ?? '';
  }
  return undefined;
}

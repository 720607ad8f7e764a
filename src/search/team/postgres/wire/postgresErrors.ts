import { IndexStoreError, type IndexStoreReason } from '../../indexStoreError.ts';

/** Reasons by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), or by its first two letters. */
const bySqlState: Readonly<Record<string, IndexStoreReason>> = {
  '08': 'unreachable',
  '28': 'refused-login',
  '53': 'full',
  '53300': 'busy',
  '57P': 'unreachable',
  '25006': 'read-only',
  '3D000': 'no-database',
  '40': 'busy',
  '42501': 'no-rights',
  '55P03': 'busy',
  '55006': 'busy',
  '57014': 'timeout',
  '58030': 'full',
};

/** Codes of Node and OpenSSL for a certificate that proves nothing. */
const certificate = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_SSL_)/;
const network = /^(?:E[A-Z]+|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;

/** What pg says itself has no code: these are its sentences. */
const bySentence: readonly (readonly [RegExp, IndexStoreReason])[] = [
  [/does not support SSL/, 'no-tls'],
  [/^timeout exceeded/, 'busy'],
  [/^(?:timeout expired|Connection terminated|Client has encountered a connection error)/, 'unreachable'],
  [/^(?:SASL|password)|authentication/i, 'refused-login'],
];

/** Converts an error of the driver, the network or the server. Nothing of its words is kept: they may hold what is secret. */
export function storeError(error: unknown, signal?: AbortSignal): IndexStoreError {
  if (error instanceof IndexStoreError) return error;
  if (signal?.aborted === true) return new IndexStoreError('cancelled');
  const { code, message } = factsOf(error);
  const known = /^[0-9A-Z]{5}$/.test(code) && !network.test(code);
  if (known) return new IndexStoreError(reasonOfState(code), code);
  if (certificate.test(code)) return new IndexStoreError('bad-certificate', code);
  if (network.test(code)) return new IndexStoreError('unreachable', code);
  const found = bySentence.find(([sentence]) => sentence.test(message));
  return new IndexStoreError(found?.[1] ?? 'unexpected');
}

function reasonOfState(code: string): IndexStoreReason {
  for (const length of [5, 4, 3, 2]) {
    const reason = bySqlState[code.slice(0, length)];
    if (reason !== undefined) return reason;
  }
  return 'unexpected';
}

/** The code and the words of an error; of several that happened at once, as Node gives them for two addresses, those of the first. */
function factsOf(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return factsOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, message: error.message };
}

import type { ErrorKind, ServiceError } from '../base/errors.ts';
import type { Purpose } from '../service/models/models.ts';

/** The questions of `Connect`, in the order in which they are asked. */
export const connectSteps = ['address', 'key', 'chat', 'embeddings', 'audio'] as const;
export type ConnectStep = (typeof connectSteps)[number];

/** Errors of the address: nothing answers there, or another program does. */
const ofAddress: ReadonlySet<ErrorKind> = new Set([
  'no-address',
  'bad-address',
  'insecure',
  'dns',
  'refused',
  'tls',
  'proxy',
  'reset',
  'timeout',
  'not-found',
  'redirect',
  'login-page',
]);
const ofKey: ReadonlySet<ErrorKind> = new Set(['no-key', 'auth', 'permission', 'quota']);

/**
 * The question whose answer a test call found wrong. Chat comes first: where it works, address and key are right, and a
 * failure for another purpose is about its model.
 * @param failures one for each purpose that failed
 */
export function failedStep(failures: readonly { purpose: Purpose; error: ServiceError }[]): ConnectStep | undefined {
  const chat = failures.find(({ purpose }) => purpose === 'chat');
  if (chat === undefined) return failures[0]?.purpose;
  if (ofAddress.has(chat.error.kind)) return 'address';
  return ofKey.has(chat.error.kind) ? 'key' : 'chat';
}

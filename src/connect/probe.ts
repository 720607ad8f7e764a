import { type ErrorKind, isCancelled, ServiceError } from '../base/errors.ts';
import type { Transport } from '../service/transport/transport.ts';

/** Errors without an answer. Any answer, with whatever status, shows that a service is there. */
const noAnswer: ReadonlySet<ErrorKind> = new Set(['dns', 'refused', 'tls', 'proxy', 'reset', 'timeout']);

/** How long an address may take to answer, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Asks an address for its models, without a key: only whether it answers counts. Gives the error where it does not answer.
 * @param patience fires when the answer is waited for no longer
 * @throws ServiceError `cancelled`
 */
export async function probeAddress(
  transport: Transport,
  baseUrl: string,
  signal: AbortSignal,
  patience = AbortSignal.timeout(timeoutMs),
): Promise<ServiceError | undefined> {
  const url = `${baseUrl}/models`;
  try {
    const { body } = await transport.send({ method: 'GET', url }, AbortSignal.any([signal, patience]));
    // Leaving at the first piece closes the connection.
    for await (const _piece of body) break;
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || signal.aborted) throw error;
    if (isCancelled(error)) return new ServiceError('timeout', { url });
    return noAnswer.has(error.kind) && error.status === undefined ? error : undefined;
  }
}

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { ClientCertificate } from './connector.ts';

/** The `hint` of the error for a certificate of this machine that cannot be read. */
const unreadable = 'CLIENT_CERTIFICATE';

/**
 * The certificate and key of this machine for a service, read anew for each connection since they are renewed. A service that is not
 * named gets none: it would learn who asks.
 * @param paths by origin: `{"https://host": {"cert": "/path.pem", "key": "/path.pem"}}`, as the setting has them
 * @throws ServiceError `tls` where a file cannot be read, or is not named
 */
export async function readClientCertificate(
  address: URL,
  paths: Readonly<Record<string, unknown>>,
): Promise<ClientCertificate | undefined> {
  const named = Object.entries(paths).find(([origin]) => URL.parse(origin)?.origin === address.origin)?.[1];
  if (named === undefined) return undefined;
  const { cert, key } = isPlainObject(named) ? named : {};
  if (typeof cert !== 'string' || typeof key !== 'string') throw new ServiceError('tls', { hint: unreadable });
  try {
    const [certificate, privateKey] = await Promise.all([readFile(cert), readFile(key)]);
    return { cert: certificate, key: privateKey };
  } catch {
    throw new ServiceError('tls', { hint: unreadable });
  }
}

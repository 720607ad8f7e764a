import * as tls from 'node:tls';

/**
 * The certificate authorities of Mozilla, of the system, and of NODE_EXTRA_CA_CERTS, in PEM form. Reading those of the
 * system takes a while. `getCACertificates` came with Node 22.15.
 */
export function readCertificates(): string[] {
  const read = (tls as Partial<typeof tls>).getCACertificates;
  const others = read === undefined ? [] : [...read('system'), ...read('extra')];
  return [...new Set([...tls.rootCertificates, ...others])];
}

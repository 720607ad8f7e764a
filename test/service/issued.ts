import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'tls');

/** A test authority's certificate, for clients that are to trust the pair below. Its own private key is gone. */
export const authorityFile: string = join(folder, 'authority.cert.pem');
export const readAuthority = (): string => readFileSync(authorityFile, 'utf8');

/** A pair that the authority issued for service.test, localhost, 127.0.0.1 and 0.0.0.0. Its private key is public. */
export function readIssuedPair(): { key: string; cert: string } {
  return {
    key: readFileSync(join(folder, 'service.key.pem'), 'utf8'),
    cert: readFileSync(join(folder, 'service.cert.pem'), 'utf8'),
  };
}

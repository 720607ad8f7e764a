import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The fixed pair for localhost and 127.0.0.1 in `tls/`, for tests of what a client says about a certificate it
 * has no reason to trust. Worthless outside of these tests: its private key is public.
 */
export function readSelfSignedPair(directory = join(import.meta.dirname, 'tls')): { key: string; cert: string } {
  return {
    key: readFileSync(join(directory, 'localhost.key.pem'), 'utf8'),
    cert: readFileSync(join(directory, 'localhost.cert.pem'), 'utf8'),
  };
}

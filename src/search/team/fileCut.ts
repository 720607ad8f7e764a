import { createHash } from 'node:crypto';

/**
 * Into which chunks a file is cut. The same content may be cut in several ways, as another version of Parley does it or as what was
 * embedded before has it, and a text that is not cut like that of others is found by nobody.
 * @param hashes SHA-256 of the chunks' texts, in their order
 * @param hasTexts whether the texts are kept beside them
 * @returns 32 hexadecimal digits, and `+` where there are texts
 */
export function cutOf(hashes: readonly Uint8Array[], hasTexts: boolean): string {
  const digest = createHash('md5');
  // The half of a hash by which servers have it. MD5, as every PostgreSQL has that: it tells apart, and proves nothing.
  for (const hash of hashes) digest.update(Buffer.from(hash.subarray(0, 16)).toString('hex'));
  return `${digest.digest('hex')}${hasTexts && hashes.length > 0 ? '+' : ''}`;
}

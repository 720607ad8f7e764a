import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sharedFileError, signatureBytes, signedText } from './sharedLayout.ts';

/** Signs the digest of a shared file. @param pem a private Ed25519 key as PEM (PKCS#8), without a passphrase */
export function signDigest(digest: Uint8Array, pem: string): Buffer {
  const signature = sign(
    null,
    signedText(digest),
    keyOf(() => createPrivateKey(pem)),
  );
  if (signature.length !== signatureBytes) throw sharedFileError('bad-key');
  return signature;
}

/**
 * Whether a signature is one of this digest.
 * @param key the public Ed25519 key: PEM (SPKI), or its Base64 alone
 */
export function isSignedBy(digest: Uint8Array, signature: Uint8Array, key: string): boolean {
  return verify(null, signedText(digest), readPublicKey(key), signature);
}

/** @throws `bad-key` where the text is no public Ed25519 key. It is not repeated: somebody may have put a private one there */
export function readPublicKey(text: string): KeyObject {
  const pem = text.trim();
  return keyOf(() =>
    pem.startsWith('-----')
      ? createPublicKey(pem)
      : createPublicKey({ key: Buffer.from(pem, 'base64'), format: 'der', type: 'spki' }),
  );
}

function keyOf(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw sharedFileError('bad-key');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw sharedFileError('bad-key');
  return key;
}

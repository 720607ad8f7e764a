/** Why a file is not in the index. */
export const exclusionReasons = [
  'secret-path',
  'secret-content',
  'binary',
  'too-large',
  'minified',
  'lock-file',
  'symlink',
  'unreadable',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** Raised whenever a rule below changes, so that what an older version let in is looked at again. */
export const rulesVersion = 1;

/** Paths (relative, with `/`) that commonly hold secrets. */
const secretPaths: readonly RegExp[] = [
  /(^|\/)\.env(\.[^/]*)?$/i,
  /(^|\/)\.envrc$/i,
  /(^|\/)\.(npmrc|pypirc|netrc|pgpass|htpasswd|dockercfg|git-credentials)$/i,
  /(^|\/)_netrc$/i,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/i,
  /(^|\/)\.(aws|ssh|gnupg|azure|gcloud|kube|docker)\//i,
  /(^|\/)(secrets?|credentials)(\/|\.(json|ya?ml|toml|ini|txt|properties)$)/i,
  /(^|\/)[^/]*service[-_]?account[^/]*\.json$/i,
  /\.(pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|crt|cer|der|tfstate|tfvars|ovpn|mobileprovision)$/i,
  /\.tfstate\.backup$/i,
];
/** Examples that are meant to be shared. */
const sharedExamples = /(^|\/)\.env\.(example|sample|template|dist)$/i;

/** Shapes of keys that services hand out, and of private keys. */
const secretContents: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{50,}\b/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  /\b(?:sk|rk)_live_[A-Za-z0-9]{20,}\b/,
  /\bsk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{32,}/,
  /\bgsk_[A-Za-z0-9]{40,}\b/,
  /\bhf_[A-Za-z0-9]{30,}\b/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\bya29\.[0-9A-Za-z_-]{40,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}/,
];

const lockFiles =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|composer\.lock|gemfile\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|cargo\.lock|go\.sum|flake\.lock|packages\.lock\.json|gradle\.lockfile|podfile\.lock|pubspec\.lock|mix\.lock)$/i;
const minifiedPath = /(\.min\.(js|cjs|mjs|css)|\.(js|css|mjs|cjs)\.map)$/i;

/** What a path alone tells: `root/.env` needs no look inside. */
export function excludeByPath(path: string): ExclusionReason | undefined {
  if (secretPaths.some((shape) => shape.test(path)) && !sharedExamples.test(path)) return 'secret-path';
  if (lockFiles.test(path)) return 'lock-file';
  if (minifiedPath.test(path)) return 'minified';
  return undefined;
}

/** How much of a file is looked at for a NUL byte, as git does. */
const binaryProbeBytes = 8 * 1024;

/** What the bytes tell. UTF-16 has NUL bytes, so a file with its byte order mark is not taken for binary. */
export function excludeByBytes(bytes: Uint8Array): ExclusionReason | undefined {
  if (utf16Mark(bytes) !== undefined) return undefined;
  return bytes.subarray(0, binaryProbeBytes).includes(0) ? 'binary' : undefined;
}

/** What the text tells. */
export function excludeByText(path: string, text: string): ExclusionReason | undefined {
  if (secretContents.some((shape) => shape.test(text))) return 'secret-content';
  return isMinified(path, text) ? 'minified' : undefined;
}

/** Scripts and style sheets that no person wrote: a line over 10,000 characters, or lines of 400 on average. */
function isMinified(path: string, text: string): boolean {
  if (!/\.(js|cjs|mjs|css)$/i.test(path) || text.length < 2_000) return false;
  const lines = text.split('\n');
  return text.length / lines.length > 400 || lines.some((line) => line.length > 10_000);
}

/** The text of a file: UTF-8, or UTF-16 where the file says so; bytes that are neither become U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder(utf16Mark(bytes) ?? 'utf-8').decode(bytes);
}

function utf16Mark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

import type { LineRange } from '../base/lines.ts';
import type { Rule } from './ignoreFiles.ts';
import { findSecret, type Secret, secretLines } from './secrets.ts';

/** Why a file is not in the index. */
export const exclusionReasons = [
  'secret-path',
  'secret-content',
  /** A pattern of `parley.search.exclude` matches. */
  'setting',
  'parleyignore',
  /** The ignore file itself, or one above the file, is over a bound or cannot be read. */
  'rule-file',
  'binary',
  'too-large',
  'minified',
  'generated',
  /** A tool writes it: of packages, or of development. */
  'lock-file',
  'symlink',
  'unreadable',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** A reason and its source: the rule of an ignore file, the setting's pattern, or the line of a secret. */
export interface Exclusion {
  reason: ExclusionReason;
  rule?: Rule;
  glob?: string;
  secret?: Secret;
  /** For `generated`: the line of the header; absent for an attribute. */
  line?: number;
}

/** Version of the rules; raised whenever one below changes, so that files an older version let in are examined again. */
export const rulesVersion = 5;

/** Paths (relative, with `/`) that commonly hold secrets. */
const secretPaths: readonly RegExp[] = [
  /(^|\/)\.env(\.[^/]*)?$/i,
  /(^|\/)\.envrc$/i,
  /(^|\/)\.(npmrc|pypirc|netrc|pgpass|htpasswd|dockercfg|git-credentials)$/i,
  /(^|\/)_netrc$/i,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/i,
  /(^|\/)\.(aws|ssh|gnupg|azure|gcloud|kube|docker)\//i,
  /(^|\/)(secrets?|credentials)\.(json|ya?ml|toml|ini|txt|properties)$/i,
  // Source code in such a folder is let in: it is about secrets.
  /(^|\/)(secrets?|credentials)\/(.*\/)?([^/.]+|[^/]*\.(json|ya?ml|toml|ini|txt|properties|conf|cfg|xml|env|enc|b64))$/i,
  /(^|\/)[^/]*service[-_]?account[^/]*\.json$/i,
  /\.(pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|crt|cer|der|tfstate|tfvars|ovpn|mobileprovision)$/i,
  /\.tfstate\.backup$/i,
];
/** Example files that are meant to be shared. */
const sharedExamples = /(^|\/)\.env\.(example|sample|template|dist)$/i;

const lockFiles =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|composer\.lock|gemfile\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|cargo\.lock|go\.sum|flake\.lock|packages\.lock\.json|gradle\.lockfile|podfile\.lock|pubspec\.lock|mix\.lock)$/i;
/** Files that development tools write, and people do not read: Xcode's projects and forms, those of IntelliJ. */
const toolFiles =
  /\.(?:pbxproj|xcworkspacedata|xcscheme|xcsettings|xcbkptlist|storyboard|xib|iml)$|\/(?:xcuserdata|\.idea)\/|^\.idea\//i;
/** What stands in git in the place of a large file: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md, and git-annex. */
const pointer =
  /^(?:version https:\/\/(?:git-lfs\.github\.com\/spec|hawser\.github\.com\/spec)\/v\d+\r?\n|\/annex\/objects\/\S+\s*$)/;
const minifiedPath = /(\.min\.(js|cjs|mjs|css)|\.(js|css|mjs|cjs)\.map)$/i;

/** The reason given by the path alone: `root/.env` is not read. */
export function excludeByPath(path: string): ExclusionReason | undefined {
  if (secretPaths.some((shape) => shape.test(path)) && !sharedExamples.test(path)) return 'secret-path';
  if (lockFiles.test(path) || toolFiles.test(path)) return 'lock-file';
  if (minifiedPath.test(path)) return 'minified';
  return undefined;
}

/** Whether a text stands in the place of another file, which is kept elsewhere. */
export const isPointer = (text: string): boolean => text.length < 2_000 && pointer.test(text);

/** The secret in a text, as an exclusion. */
export function excludeBySecret(text: string): Exclusion | undefined {
  const secret = findSecret(text);
  return secret === undefined ? undefined : { reason: 'secret-content', secret };
}

/** Files of settings and data, and those without an ending: what else stands in them may be secret, too. */
const settingsPath =
  /(?:\.(?:json[c5l]?|ipynb|ya?ml|toml|ini|cfg|conf|config|properties|env|xml|plist|txt|csv|tsv|log|http|rest)|(?:^|\/)\.?[^./]+)$/i;
/** A file with more secrets is made of them. */
const mostSecrets = 20;
/** Lines around a secret that are left out with it: its other half may be one that nobody knows by its form. */
const linesAround = 5;

/**
 * The lines, from 1, that are left out of a source file with sample keys, such as a test, so that the rest can be indexed. Undefined
 * for a file that stays out as a whole: settings and data, private keys, many secrets.
 */
export function linesLeftOut(path: string, text: string): readonly LineRange[] | undefined {
  if (settingsPath.test(path) || findSecret(text)?.kind === 'private-key') return undefined;
  const lines = secretLines(text, mostSecrets + 1);
  if (lines.length > mostSecrets) return undefined;
  return lines.map(({ first, last }) => ({ first: first - linesAround, last: last + linesAround }));
}

/** Scripts and style sheets that no person wrote: a line over 10,000 characters, or lines of 400 on average. */
export function isMinified(path: string, text: string): boolean {
  if (!/\.(js|cjs|mjs|css)$/i.test(path) || text.length < 2_000) return false;
  const lines = text.split('\n');
  return text.length / lines.length > 400 || lines.some((line) => line.length > 10_000);
}

/** The words that generators write: Go's own rule (https://go.dev/s/generatedcode), .NET's, and the usual others. */
const generatedWords =
  /Code generated .*DO NOT EDIT|@generated\b|<auto-?generated\b|(?:file|code) (?:was|is|has been) (?:automatically|auto-?) ?generated|(?:automatically|auto-?) ?generated (?:file|code|by\b.*(?:do not|don't) (?:edit|modify))/i;
const headerLines = 20;
const lineComment = /^(?:\/\/|#|--(?!\[\[)|;|%)/;
/** What begins a comment of several lines, and what ends it. */
const blockComments = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['(*', '*)'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['<#', '#>'],
  ['=begin', '=end'],
] as const;
/** What may stand before the comments at the top of a file. */
const preamble =
  /^\uFEFF?(?:<\?(?:php|xml)\b(?:[^?]|\?(?!>))*(?:\?>|$)|<!doctype\b[^>]*>|(['"])use [\w ]{1,40}\1;?|@charset [^;]*;)/i;

/**
 * The line, from 1, in which a file says that a program wrote it. That is said by the comments before any code: further down, the
 * words may be those that a generator writes.
 */
export function generatedLine(text: string): number | undefined {
  let end: string | undefined;
  for (const [index, written] of text.slice(0, 4_000).split('\n', headerLines).entries()) {
    const line = end === undefined ? written.trim().replace(preamble, '').trim() : written;
    const block = end === undefined ? blockComments.find(([begin]) => line.startsWith(begin)) : undefined;
    const isComment = end !== undefined || block !== undefined || lineComment.test(line);
    if (isComment && generatedWords.test(line)) return index + 1;
    if (!isComment && line !== '') return undefined;
    const closing: string | undefined = block?.[1] ?? end;
    if (closing === undefined) continue;
    const closed = line.indexOf(closing, block?.[0].length ?? 0);
    end = closed < 0 ? closing : undefined;
    const rest = closed < 0 ? '' : line.slice(closed + closing.length).trim();
    if (rest !== '' && !lineComment.test(rest)) return undefined;
  }
  return undefined;
}

import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Exclusion, excludeByPath, excludeBySecret, generatedLine, isMinified } from './exclusions.ts';
import { readIgnoreFiles } from './ignoreFiles.ts';
import type { Scope } from './protocol.ts';

/** The rules of one root for one scan. Secrets in a text and what is no text stay out whatever the user allows. */
export interface Filter {
  root: string;
  maxBytes: number;
  /** Whether a link leads to what is at a path: it is none of this root, or stands in it under its own name. */
  isBehindLink(path: string): Promise<boolean>;
  /** What a path alone tells: `root/.env` needs no look inside. */
  byPath(path: string): Exclusion | undefined;
  byText(path: string, text: string): Exclusion | undefined;
}

/** @param generated what `.gitattributes` says of paths. */
export function createFilter(
  root: string,
  { maxBytes, exclude = [], allow = [], includeGenerated = false }: Scope,
  generated: ReadonlyMap<string, boolean>,
): Filter {
  const parleyIgnore = readIgnoreFiles(root, '.parleyignore');
  const isAllowed = (path: string): boolean => firstGlob(allow, path) !== undefined;
  return {
    root,
    maxBytes,
    isBehindLink: findLinks(root),
    byPath(path) {
      if (isAllowed(path)) return undefined;
      const reason = excludeByPath(path);
      if (reason === 'secret-path') return { reason };
      const glob = firstGlob(exclude, path);
      if (glob !== undefined) return { reason: 'setting', glob };
      const rule = parleyIgnore.ruleFor(path, false);
      if (rule) return { reason: 'parleyignore', rule };
      if (generated.get(path) === true && !includeGenerated) return { reason: 'generated' };
      return reason === undefined ? undefined : { reason };
    },
    byText(path, text) {
      const secret = excludeBySecret(text);
      if (secret !== undefined || isAllowed(path)) return secret;
      if (isMinified(path, text)) return { reason: 'minified' };
      if (includeGenerated || generated.get(path) === false) return undefined;
      const line = generatedLine(text);
      return line === undefined ? undefined : { reason: 'generated', line };
    },
  };
}

/** Tells of a path (relative, with `/`) whether a folder on the way to it is a link. Each folder is looked at once. */
export function findLinks(root: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  async function isBehindLink(path: string): Promise<boolean> {
    const end = path.lastIndexOf('/');
    if (end < 0) return false;
    const folder = path.slice(0, end);
    const found = known.get(folder) ?? isLink(folder);
    known.set(folder, found);
    return found;
  }
  async function isLink(folder: string): Promise<boolean> {
    return (await isBehindLink(folder)) || (await lstat(join(root, folder))).isSymbolicLink();
  }
  return isBehindLink;
}

/** The first of the globs that a path matches. One without `/` is for any folder; one that names a folder, for all in it. */
function firstGlob(globs: readonly string[], path: string): string | undefined {
  return globs.find((glob) => {
    const anywhere = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
    return posix.matchesGlob(path, anywhere) || posix.matchesGlob(path, `${anywhere.replace(/\/$/, '')}/**`);
  });
}

import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Exclusion, excludeByPath, excludeBySecret, generatedLine, isMinified } from './exclusions.ts';
import { readIgnoreFiles } from './ignoreFiles.ts';
import { isInside } from './paths.ts';
import type { Scope } from './protocol.ts';

/** The rules of one root for one scan. Secrets in a text and what is no text stay out whatever the user allows. */
export interface Filter {
  root: string;
  maxBytes: number;
  /** Whether a folder (absolute) is inside the root, links followed. */
  isWithin(folder: string): Promise<boolean>;
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
  const within = new Map<string, Promise<boolean>>();
  return {
    root,
    maxBytes,
    isWithin(folder) {
      const known = within.get(folder) ?? followsInto(root, folder);
      within.set(folder, known);
      return known;
    },
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

async function followsInto(root: string, folder: string): Promise<boolean> {
  return folder === root || isInside(await realpath(root), await realpath(folder));
}

/** The first of the globs that a path matches. One without `/` is for any folder; one that names a folder, for all in it. */
function firstGlob(globs: readonly string[], path: string): string | undefined {
  return globs.find((glob) => {
    const anywhere = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
    return posix.matchesGlob(path, anywhere) || posix.matchesGlob(path, `${anywhere.replace(/\/$/, '')}/**`);
  });
}

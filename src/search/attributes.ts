import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { byRepository } from './files.ts';
import { gitAttributes } from './git.ts';

/** The attributes by which people tell GitHub what they did not write: https://github.com/github-linguist/linguist. */
const attributes = ['linguist-generated', 'linguist-vendored'] as const;

/**
 * The paths of which `.gitattributes` says that they are generated or other people's code (true), or that they are not
 * (false). Git is asked where it answers; elsewhere the files are read.
 */
export async function generatedPaths(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const generated = new Map<string, boolean>();
  const states = new Map<string, boolean>();
  for (const [inner, own] of byRepository(root, paths)) {
    // Told twice of an attribute, the later counts.
    const tell: Tell = (path, attribute, value) => {
      const full = inner === '' ? path : `${inner}/${path}`;
      states.set(`${attribute} ${full}`, value !== 'unset' && value !== 'false');
      generated.set(
        full,
        attributes.some((name) => states.get(`${name} ${full}`)),
      );
    };
    const asked = await gitAttributes(join(root, inner), attributes, own, signal, tell);
    if (!asked) readAttributes(join(root, inner), own, tell);
  }
  return generated;
}

type Tell = (path: string, attribute: string, value: string) => void;

interface AttributeLine {
  folder: string;
  pattern: Ignore;
  attribute: string;
  value: string;
}

function readAttributes(root: string, paths: readonly string[], tell: Tell): void {
  const folders = new Set(paths.flatMap(foldersAround));
  const lines = [...folders].sort((a, b) => a.length - b.length).flatMap((folder) => linesOf(root, folder));
  if (lines.length === 0) return;
  for (const path of paths) {
    for (const { folder, pattern, attribute, value } of lines) {
      if (!path.startsWith(folder)) continue;
      if (pattern.ignores(path.slice(folder.length))) tell(path, attribute, value);
    }
  }
}

/** `a/b/c.ts` is in ``, `a/` and `a/b/`. */
function foldersAround(path: string): string[] {
  return path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/') + (depth === 0 ? '' : '/'));
}

/** The lines about our attributes in the file of a folder. A folder's name stands for no file in it, unlike in `.gitignore`. */
function linesOf(root: string, folder: string): AttributeLine[] {
  let text: string;
  try {
    text = readFileSync(join(root, folder, '.gitattributes'), 'utf8');
  } catch {
    return [];
  }
  return text.split(/\r?\n/).flatMap((line) => {
    const [pattern = '', ...states] = line.trim().split(/\s+/);
    if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('!')) return [];
    return states.flatMap((state) => {
      const [, minus, attribute = '', value = minus ? 'unset' : 'set'] = /^(-?)([^=]+)(?:=(.*))?$/.exec(state) ?? [];
      const isOurs = attributes.some((name) => name === attribute);
      return isOurs ? [{ folder, pattern: ignore().add(pattern), attribute, value }] : [];
    });
  });
}

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
  for (const [inner, own] of byRepository(root, paths)) {
    const tell = (path: string, value: string): void => {
      const full = inner === '' ? path : `${inner}/${path}`;
      generated.set(full, isSet(value) || generated.get(full) === true);
    };
    const asked = await gitAttributes(join(root, inner), attributes, own, signal, (path, _, value) =>
      tell(path, value),
    );
    if (!asked) readAttributes(join(root, inner), own, tell);
  }
  return generated;
}

const isSet = (value: string): boolean => value !== 'unset' && value !== 'false';

interface AttributeLine {
  folder: string;
  pattern: Ignore;
  value: string;
}

function readAttributes(root: string, paths: readonly string[], tell: (path: string, value: string) => void): void {
  const lines = paths.filter((path) => /(^|\/)\.gitattributes$/.test(path)).flatMap((path) => linesOf(root, path));
  if (lines.length === 0) return;
  for (const path of paths) {
    for (const { folder, pattern, value } of lines) {
      if (!path.startsWith(folder)) continue;
      if (pattern.ignores(path.slice(folder.length))) tell(path, value);
    }
  }
}

/** The lines of one file that are about our attributes. A folder's name stands for no file in it, unlike in `.gitignore`. */
function linesOf(root: string, file: string): AttributeLine[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    return [];
  }
  return text.split(/\r?\n/).flatMap((line) => {
    const [pattern = '', ...states] = line.trim().split(/\s+/);
    if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('!')) return [];
    return states.flatMap((state) => {
      const [, minus, name, value = minus ? 'unset' : 'set'] = /^(-?)([^=]+)(?:=(.*))?$/.exec(state) ?? [];
      const isOurs = attributes.some((attribute) => attribute === name);
      return isOurs ? [{ folder, pattern: ignore().add(pattern), value }] : [];
    });
  });
}

import { join } from 'node:path';
import { maxRules } from '../ignoreFiles.ts';
import { type IgnoreRules, parseIgnoreRules } from '../ignoreRules.ts';
import { readRuleFile } from '../readRuleFile.ts';
import { gitAttributes } from './git.ts';
import { byRepository } from './repositories.ts';

/** The attributes that mark generated or vendored code for GitHub: https://github.com/github-linguist/linguist. */
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
    // Of several values of an attribute, the last counts.
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
  /** Undefined: every file in the folder. */
  pattern: IgnoreRules | undefined;
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
      if (pattern === undefined || pattern.find(path.slice(folder.length), false)) tell(path, attribute, value);
    }
  }
}

/** `a/b/c.ts` is in ``, `a/` and `a/b/`. */
function foldersAround(path: string): string[] {
  return path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/') + (depth === 0 ? '' : '/'));
}

/**
 * The lines about our attributes in the file of a folder. A folder's name matches no file in it, unlike in
 * `.gitignore`. A file that cannot be read may have named anything in its folder, so all of it counts as named.
 */
function linesOf(root: string, folder: string): AttributeLine[] {
  const content = readRuleFile(root, join(root, folder, '.gitattributes'));
  if (content === undefined) return [];
  const everything = [{ folder, pattern: undefined, attribute: attributes[0], value: 'set' }];
  if ('problem' in content) return everything;
  const lines = content.text.split(/\r?\n/).flatMap((line) => linesIn(line, folder));
  return lines.length > maxRules ? everything : lines;
}

function linesIn(line: string, folder: string): AttributeLine[] {
  const [pattern = '', ...states] = line.trim().split(/\s+/);
  if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('!')) return [];
  return states.flatMap((state) => {
    const [, minus, attribute = '', value = minus ? 'unset' : 'set'] = /^(-?)([^=]+)(?:=(.*))?$/.exec(state) ?? [];
    const isOurs = attributes.some((name) => name === attribute);
    return isOurs ? [{ folder, pattern: parseIgnoreRules(pattern, 1), attribute, value }] : [];
  });
}

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodingSetting } from '../base/encoding/decode.ts';
import { type EncodingRules, encodingSetting } from '../base/encoding/encodingRules.ts';
import { isInside, relativePath } from '../base/paths.ts';
import {
  type Exclusion,
  excludeByPath,
  excludeBySecret,
  generatedLine,
  isMinified,
  isPointer,
  linesLeftOut,
} from './exclusions.ts';
import { checkGlobs, compileGlobs } from './glob/glob.ts';
import { type Rule, readIgnoreFiles } from './ignoreFiles.ts';
import { type RuleFileProblem, readRuleFile } from './readRuleFile.ts';

/** The folders of the workspace, and the rules on which of their files belong in the index. */
export interface Scope {
  /** Absolute paths of the workspace's folders. */
  roots: readonly string[];
  maxBytes: number;
  /** Globs of files to leave out. */
  exclude?: readonly string[];
  /** Globs of files to include although their name or kind would exclude them. */
  allow?: readonly string[];
  includeGenerated?: boolean;
  /** Absolute paths of open files, most recent first: files near them are read first. */
  near?: readonly string[];
  /** By root, where the user's settings say in which encodings its files are. */
  encodings?: Readonly<Record<string, EncodingRules>>;
}

/** The rules of one root for one scan. Secrets in a text and non-text files stay out whatever the user allows. */
export interface Filter {
  root: string;
  maxBytes: number;
  /** Whether a link is on the way to a path: its target is outside this root, or is listed under its own name. */
  isBehindLink(path: string): Promise<boolean>;
  /** The exclusion given by the path alone: `root/.env` is not read. */
  byPath(path: string): Exclusion | undefined;
  /** What the user's settings say of the encoding of a file. */
  encodingSetting(path: string): EncodingSetting;
  /** The exclusion given by the text; that of a source file with a secret holds for some of its lines only (`linesLeftOut`). */
  byText(path: string, text: string): Exclusion | undefined;
}

/**
 * @param generated paths that `.gitattributes` marks as generated or not
 * @throws ServiceError `invalid-request` for globs over a bound, as it is unknown what they would exclude; `param` is
 * the setting
 */
export function createFilter(
  root: string,
  { roots, maxBytes, exclude = [], allow = [], includeGenerated = false, encodings = {} }: Scope,
  generated: ReadonlyMap<string, boolean>,
): Filter {
  // Rules of a folder of the workspace hold for folders inside it that are open on their own, too.
  const top = roots.reduce((outer, other) => (isInside(other, outer) ? other : outer), root);
  const below = relativePath(top, root);
  const fromTop = (path: string): string => (below ? `${below}/${path}` : path);
  const parleyIgnore = readIgnoreFiles(top, '.parleyignore');
  const ignoredAt = (path: string): Rule | undefined => {
    const rule = parleyIgnore.ruleFor(fromTop(path), false);
    return rule ? { ...rule, file: join(top, rule.file) } : undefined;
  };
  checkGlobs(exclude, 'parley.search.exclude');
  checkGlobs(allow, 'parley.search.allowPaths');
  const allowedBy = globFinder(allow, false);
  // `dot`: an excluded folder stays out with its hidden files.
  const excludedBy = globFinder(exclude, true);
  const isAllowed = (path: string): boolean => allowedBy(path) !== undefined;
  /**
   * The other rule files: where git does not answer, an unreadable one excludes its whole folder and is reported
   * itself.
   */
  const gitIgnore = readIgnoreFiles(root, '.gitignore');
  const problemOf = (path: string): RuleFileProblem | undefined => {
    const end = path.lastIndexOf('/');
    const name = path.slice(end + 1);
    if (name === '.gitignore') return gitIgnore.problemIn(path.slice(0, Math.max(0, end)));
    const content = name === '.gitattributes' ? readRuleFile(root, join(root, path)) : undefined;
    return content !== undefined && 'problem' in content ? content.problem : undefined;
  };
  return {
    root,
    maxBytes,
    isBehindLink: findLinks(root),
    byPath(path) {
      if (isAllowed(path)) return undefined;
      const reason = excludeByPath(path);
      if (reason === 'secret-path') return { reason };
      const glob = excludedBy(path) ?? (top === root ? undefined : excludedBy(fromTop(path)));
      if (glob !== undefined) return { reason: 'setting', glob };
      const rule = ignoredAt(path);
      if (rule) return { reason: rule.problem === undefined ? 'parleyignore' : 'rule-file', rule };
      const problem = problemOf(path);
      if (problem !== undefined) return { reason: 'rule-file', rule: { file: path, line: 0, pattern: '', problem } };
      if (generated.get(path) === true && !includeGenerated) return { reason: 'generated' };
      return reason === undefined ? undefined : { reason };
    },
    encodingSetting: (path) => encodingSetting(encodings[root], path),
    byText(path, text) {
      const secret = excludeBySecret(text);
      // What is left out as a whole needs no other reason; what is left out in part may have one.
      if (secret !== undefined && linesLeftOut(path, text) === undefined) return secret;
      return (isAllowed(path) ? undefined : byKind(path, text)) ?? secret;
    },
  };

  function byKind(path: string, text: string): Exclusion | undefined {
    if (isMinified(path, text)) return { reason: 'minified' };
    if (isPointer(text)) return { reason: 'lock-file' };
    if (includeGenerated || generated.get(path) === false) return undefined;
    const line = generatedLine(text);
    return line === undefined ? undefined : { reason: 'generated', line };
  }
}

/** Tests whether a folder on the way to a path (relative, with `/`) is a link. Each folder is checked once. */
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

/**
 * Finds the first glob that a path matches. One without `/` matches in any folder; one that names a folder, all files
 * in it.
 */
function globFinder(globs: readonly string[], dot: boolean): (path: string) => string | undefined {
  const both = globs.flatMap((glob) => {
    const anywhere = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
    return [anywhere, `${anywhere.replace(/\/$/, '')}/**`];
  });
  const find = compileGlobs(both, { dot });
  return (path) => globs[Math.floor(find(path) / 2)];
}

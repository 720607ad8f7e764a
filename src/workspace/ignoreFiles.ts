import { join } from 'node:path';
import { decode } from '../base/encoding/decode.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignoreRules.ts';
import { type RuleFileProblem, readRuleFile } from './readRuleFile.ts';

/** A rule and its source: the file, from the root (with `/`) or absolute, the line from 1, and its text. */
export interface Rule {
  file: string;
  /** 0 when the file cannot be read: `problem` has the reason, and everything in its folder is left out. */
  line: number;
  pattern: string;
  problem?: RuleFileProblem;
}

/** The ignore files of a folder tree. Those nearest to a path take precedence, as in git. */
export interface IgnoreFiles {
  /** The rule that matches a path or a folder around it; `false`: a rule takes it back; undefined: no rule matches. */
  ruleFor(path: string, isFolder: boolean): Rule | false | undefined;
  /** Why the ignore file of a folder (`''`: the root) cannot be used; undefined where it can, or there is none. */
  problemIn(folder: string): RuleFileProblem | undefined;
}

/** Limit of the rules in all ignore files above a path. */
export const maxRules = 5_000;
/** Limit of cached rules, of all folders; those of other folders are read again. */
const rulesKept = 100_000;

interface FolderRules {
  rules?: IgnoreRules;
  problem?: RuleFileProblem;
  /** Rules in this folder and those around it. */
  count: number;
}

/**
 * The ignore files of this name under a root, in the syntax of `.gitignore`, read on first use. One that is over a
 * bound or cannot be read excludes its whole folder, as it is unknown what it should have excluded.
 */
export function readIgnoreFiles(root: string, name: string): IgnoreFiles {
  const read = new Map<string, FolderRules>();
  /** Results by folder, cached because every file below needs them. */
  const folders = new Map<string, Rule | false | undefined>();
  let kept = 0;

  function rulesOf(folder: string): FolderRules {
    const known = read.get(folder);
    if (known !== undefined) return known;
    const around = folder === '' ? 0 : rulesOf(folder.slice(0, Math.max(0, folder.lastIndexOf('/')))).count;
    const found = readFolder(join(root, folder, name), around);
    read.set(folder, found);
    kept += (found.rules?.count ?? 0) + 1;
    for (const [oldest, { rules }] of read) {
      if (kept <= rulesKept || oldest === folder) break;
      read.delete(oldest);
      kept -= (rules?.count ?? 0) + 1;
    }
    return found;
  }

  function readFolder(file: string, around: number): FolderRules {
    // What git reads is read as git does; our own file may come from any editor, or from PowerShell, which writes UTF-16.
    const content = name === '.parleyignore' ? readRuleFile(root, file, decode) : readRuleFile(root, file);
    const none = { count: around };
    if (content === undefined) return none;
    if ('problem' in content) return { ...none, problem: content.problem };
    const rules = parseIgnoreRules(content.text, maxRules - around);
    return rules === undefined ? { ...none, problem: 'too-large' } : { ...none, rules, count: around + rules.count };
  }

  function ruleFor(path: string, isFolder: boolean): Rule | false | undefined {
    if (isFolder && folders.has(path)) return folders.get(path);
    const end = path.lastIndexOf('/');
    const around = end < 0 ? undefined : ruleFor(path.slice(0, end), true);
    // A file in an excluded folder cannot be taken back.
    const found = around || ownRule(path, isFolder);
    if (isFolder) folders.set(path, found);
    return found;
  }

  function ownRule(path: string, isFolder: boolean): Rule | false | undefined {
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, Math.max(0, end));
      const { rules, problem } = rulesOf(folder);
      const file = folder === '' ? name : `${folder}/${name}`;
      if (problem !== undefined) return { file, line: 0, pattern: '', problem };
      const rule = rules?.find(path.slice(end + 1), isFolder);
      if (rule !== undefined) return rule.isNegated ? false : { file, line: rule.line, pattern: rule.pattern };
      if (end <= 0) return undefined;
    }
  }

  return { ruleFor, problemIn: (folder) => rulesOf(folder).problem };
}

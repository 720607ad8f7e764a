import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Where a rule stands: the file from the root (with `/`) or absolute, the line from 1, and what it says. */
export interface Rule {
  file: string;
  line: number;
  pattern: string;
}

/** What the ignore files of a folder tree say of its paths: those nearest to a path count most, as git has it. */
export interface IgnoreFiles {
  /** The rule that names a path or a folder around it; `false`: a rule takes it back; undefined: no rule does. */
  ruleFor(path: string, isFolder: boolean): Rule | false | undefined;
}

/** The ignore files of this name under a root, in the syntax of `.gitignore`. Each is read once, when first asked for. */
export function readIgnoreFiles(root: string, name: string): IgnoreFiles {
  const read = new Map<string, Ignore | undefined>();

  function rulesOf(folder: string): Ignore | undefined {
    if (!read.has(folder)) read.set(folder, parse(join(root, folder, name)));
    return read.get(folder);
  }

  return {
    ruleFor(path, isFolder) {
      const parts = path.split('/');
      for (let depth = parts.length - 1; depth >= 0; depth--) {
        const folder = parts.slice(0, depth).join('/');
        const inner = parts.slice(depth).join('/');
        const verdict = rulesOf(folder)?.test(isFolder ? `${inner}/` : inner);
        if (verdict?.unignored) return false;
        if (!verdict?.ignored) continue;
        const { pattern = '', mark } = verdict.rule ?? {};
        return { file: folder === '' ? name : `${folder}/${name}`, line: Number(mark), pattern };
      }
      return undefined;
    },
  };
}

/** Undefined where there is no such file, or none that can be read. */
function parse(file: string): Ignore | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/);
    return ignore().add(lines.map((pattern, index) => ({ pattern, mark: String(index + 1) })));
  } catch {
    return undefined;
  }
}

/** Reads which file an answer names: behind a fence, in the line above it, or in the first line of its code. */

const fileName = String.raw`[\w@.()[\]+~-]*\.[A-Za-z][\w+-]{0,15}|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|README`;
const path = String.raw`(?:[A-Za-z]:)?(?:[\w@.()[\]+~ -]*[\w@.()[\]+~-][\\/])*(?:${fileName})`;
const plainPath = String.raw`(?:[\w@.()[\]+~:-]*[\\/])*(?:${fileName})`;

/** The longest line, in characters, in which a path is looked for. */
const longestLine = 1_000;

/** ```` ```ts src/a.ts ````, ```` ```ts:src/a.ts ````, `title="src/a.ts"`, `{file=src/a.ts}`. */
export function pathInInfo(info: string): string | undefined {
  if (info.length > longestLine) return undefined;
  const named = /(?:title|file(?:name)?|path)\s*[=:]\s*["']?([^"'}\s]+)/i.exec(info)?.[1];
  if (named !== undefined) return named;
  for (const word of info.split(/\s+/)) {
    const last = word.replace(/^[\w+#-]+:(?=[^\\/]*[\w.])/, '');
    if (new RegExp(`^${plainPath}$`).test(last) && /[./\\]/.test(last)) return last;
  }
  return undefined;
}

/** The last lines of prose before a fence: `### src/a.ts`, `**src/a.ts**`, `File: src/a.ts`, “In `src/a.ts`, change …”. */
export function pathInProse(lines: readonly string[]): string | undefined {
  const line = lines.findLast((each) => each.trim() !== '')?.trim();
  if (line === undefined || line.length > longestLine) return undefined;
  const bare = line
    .replace(/^(?:#{1,6}|[-*+]|\d+[.)])\s+/, '')
    .replace(/^\*\*|\*\*:?$|^__|__$/g, '')
    .replace(/^(?:new |updated? )?(?:file(?:name)?|path)\s*:\s*/i, '')
    .replace(/^[`*"']+|[`*"':]+$/g, '')
    .replace(/\s*\((?:new(?: file)?|updated?|modified|changed|unchanged)\)$/i, '')
    .replace(/[`*"']+$/g, '');
  if (new RegExp(`^${path}$`).test(bare)) return bare;
  const last = new RegExp(`[\`"*]+(${plainPath})[\`"*]+:$`).exec(line)?.[1];
  if (last !== undefined) return last;
  const quoted = [...line.matchAll(new RegExp(`[\`"*]+(${plainPath})[\`"*]+`, 'g'))].map(([, name]) => name as string);
  const names = new Set(quoted);
  if (names.size === 1) return quoted[0];
  if (names.size > 1) return undefined;
  const words = new Set(
    line
      .split(/[\s,;:()]+/)
      .filter((word) => new RegExp(`^${plainPath}$`).test(word))
      .map((word) => word.replace(/\.$/, '')),
  );
  return words.size === 1 ? [...words][0] : undefined;
}

/** A comment that is nothing but a path, as the first line of code: `// src/a.ts`, `<!-- index.html -->`. */
export function pathInComment(line: string | undefined): string | undefined {
  if (line === undefined || line.length > longestLine) return undefined;
  const inner = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:file(?:name)?\s*:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i.exec(
    line ?? '',
  )?.[1];
  return inner !== undefined && new RegExp(`^${plainPath}$`).test(inner) && /[./\\]/.test(inner) ? inner : undefined;
}

/** A path of an answer as those of the workspace are written. */
export function cleanPath(named: string): string {
  return named.replaceAll('\\', '/').replace(/^(?:\.\/|\/)+/, '');
}

/**
 * The file that a path of an answer names: the same path, or the only one that ends so; all of them where several do.
 * @param edited the file in the editor, whose path may be that within its project, and lack folders that the answer has before it
 */
export function matchPath(
  named: string,
  paths: Iterable<string>,
  edited?: string | undefined,
): string | readonly string[] | undefined {
  const clean = cleanPath(named);
  const all = [...paths];
  if (all.includes(clean)) return clean;
  // A path without folders says nothing of those before it: `packages/x/package.json` is another file than `package.json`.
  const mayHaveMore = edited?.includes('/') || /^(?:[\\/]|[a-z]:)/i.test(named);
  const ends = all.filter(
    (each) => each.endsWith(`/${clean}`) || (mayHaveMore && each === edited && clean.endsWith(`/${each}`)),
  );
  return ends.length > 1 ? ends : ends[0];
}

import type { ChangedFile } from './changedFiles.ts';

/** The files of a diff by the names that a model may give them. */
export interface FileNames {
  /** Undefined when it is none of the diff, or more than one. */
  find(written: string): ChangedFile | undefined;
  /** Whether a file may be named at the end of a text, which is quick to tell. */
  mayEnd(text: string): boolean;
}

/** Names are taken with the diff's `a/` and `b/`, with `./`, and without folders where that is clear. Pieces of one file are joined. */
export function createFileNames(files: readonly ChangedFile[]): FileNames {
  const byPath = new Map<string, ChangedFile>();
  for (const { path, hunks } of files) {
    const known = byPath.get(path)?.hunks ?? [];
    byPath.set(path, { path, hunks: [...known, ...hunks].sort((a, b) => a.first - b.first) });
  }
  /** By each end of a path that begins with a folder or is the name alone; undefined: of several files. */
  const byEnd = new Map<string, ChangedFile | undefined>();
  for (const file of byPath.values()) {
    for (let at = file.path.indexOf('/'); at >= 0; at = file.path.indexOf('/', at + 1)) {
      const end = file.path.slice(at + 1);
      byEnd.set(end, byEnd.has(end) ? undefined : file);
    }
  }
  const endings = new Set([...byPath.keys()].map((path) => path.slice(-4)));
  const shortest = Math.min(...[...endings].map(({ length }) => length));
  return {
    find(written) {
      const path = written.trim().replaceAll('\\', '/');
      const bare = path.replace(/^(?:\.?\/|[ab]\/)/, '');
      return byPath.get(path) ?? byPath.get(bare) ?? byEnd.get(path) ?? byEnd.get(bare);
    },
    mayEnd: (text) => shortest < 4 || endings.has(text.slice(-4)),
  };
}

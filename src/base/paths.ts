import { sep } from 'node:path';

/** A path of this system as a relative path with `/`, `''` for the root; undefined when it is not inside the root. */
export function relativePath(root: string, file: string): string | undefined {
  if (!isInside(root, file)) return undefined;
  return file
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '')
    .join('/');
}

/** Whether a path is the root or inside it. Both absolute, in the form of this system. */
export function isInside(root: string, path: string): boolean {
  const base = root.endsWith(sep) ? root : root + sep;
  return path === root || path.startsWith(base);
}

import { isAbsolute, relative, sep } from 'node:path';

/** A path of this system as a relative path with `/`, `''` for the root; undefined when it is not inside the root. */
export function relativePath(root: string, file: string): string | undefined {
  return isInside(root, file) ? relative(root, file).split(sep).join('/') : undefined;
}

/** Whether a path is the root or inside it. Both absolute, in the form of this system. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Groups paths by the repository inside the root that each is in (`''`: the root), relative to that. */
export function byRepository(root: string, paths: readonly string[]): Map<string, string[]> {
  const repositories = new Map<string, string>([['', '']]);
  const repositoryOf = (folder: string): string => {
    const known = repositories.get(folder);
    if (known !== undefined) return known;
    const isOne = existsSync(join(root, folder, '.git'));
    const found = isOne ? folder : repositoryOf(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))));
    repositories.set(folder, found);
    return found;
  };
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const inner = repositoryOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const own = groups.get(inner) ?? [];
    own.push(inner === '' ? path : path.slice(inner.length + 1));
    groups.set(inner, own);
  }
  return groups;
}

import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside } from '../../base/paths.ts';

/** The reason why a path that a model named is not read. */
export type PathProblem = 'outside' | 'missing' | 'not-a-file';
export type WorkspaceFile =
  | { ok: true /** The path as the workspace has it, not as links resolve. */; path: string; size: number }
  | { ok: false; problem: PathProblem };

/**
 * The file of the workspace that a path means. Paths that lead out of the workspace are refused, by name (`..`, another
 * folder) or by a link: a model names the path, and the file may be sent to a service.
 * @param roots folders of the workspace on the disk, with the names by which a path may begin where there are several
 */
export async function findWorkspaceFile(
  path: string,
  roots: readonly { name: string; path: string }[],
): Promise<WorkspaceFile> {
  let problem: PathProblem = 'outside';
  for (const candidate of candidates(path, roots)) {
    const found = await look(candidate);
    if (found.ok) return found;
    // The most telling reason is kept: a file that is missing here may be there.
    if (problem !== 'not-a-file') problem = found.problem;
  }
  return { ok: false, problem };
}

interface Candidate {
  root: string;
  path: string;
}

function candidates(path: string, roots: readonly { name: string; path: string }[]): Candidate[] {
  return roots.flatMap((root) => {
    const named = roots.length > 1 && path.startsWith(`${root.name}/`) ? [path.slice(root.name.length + 1)] : [];
    return [...named, path]
      .map((each) => ({ root: root.path, path: resolve(root.path, each) }))
      .filter((each) => isInside(each.root, each.path));
  });
}

async function look({ root, path }: Candidate): Promise<WorkspaceFile> {
  try {
    if (!isInside(await realpath(root), await realpath(path))) return { ok: false, problem: 'outside' };
    const stats = await stat(path);
    return stats.isFile() ? { ok: true, path, size: stats.size } : { ok: false, problem: 'not-a-file' };
  } catch {
    return { ok: false, problem: 'missing' };
  }
}

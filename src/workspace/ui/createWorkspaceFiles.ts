import { Uri, workspace } from 'vscode';
import { readEncodingRules } from '../../editor/files/readEncodingRules.ts';
import { excludeByPath } from '../exclusions.ts';
import { gitBranches, gitDiff, gitSubjects } from '../git/gitDiff.ts';
import { findSecret } from '../secrets.ts';
import type { WorkspaceFiles } from '../workspaceFiles.ts';
import { findObstacle, roots } from './folders.ts';

/** In an untrusted workspace no file is listed, and git is not run. */
export function createWorkspaceFiles(): WorkspaceFiles {
  const readable = (): string[] => (findObstacle() === undefined ? roots() : []);
  const diffOf: WorkspaceFiles['diffIn'] = (root, of, signal) =>
    gitDiff(root, of, signal, readEncodingRules(Uri.file(root)));
  return {
    async list(signal) {
      // The walk is loaded with its first use, and not with the extension.
      const { listOwnFiles } = await import('../fileList.ts');
      const lists = await Promise.all(
        readable().map(async (root, _, all) => (await listOwnFiles(all, root, signal)).map((path) => ({ root, path }))),
      );
      return lists.flat();
    },
    isSecretName: (path) => excludeByPath(path) === 'secret-path',
    secretLine: (text) => findSecret(text)?.line,
    diff: (of, signal) => Promise.all(readable().map(async (root) => ({ root, ...(await diffOf(root, of, signal)) }))),
    diffIn: async (root, of, signal) => (workspace.isTrusted ? diffOf(root, of, signal) : { kind: 'no-repository' }),
    lastSubjects: async (root, count, signal) => (workspace.isTrusted ? gitSubjects(root, count, signal) : []),
    async branches(signal) {
      const lists = await Promise.all(readable().map((root) => gitBranches(root, signal)));
      return [...new Set(lists.flat())];
    },
  };
}

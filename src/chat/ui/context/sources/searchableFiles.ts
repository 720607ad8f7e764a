import { workspace } from 'vscode';
import type { RootFile, WorkspaceFiles } from '../../../../workspace/workspaceFiles.ts';
import { foldersOf } from '../../../context/folderListing.ts';
import { type SearchablePath, searchablePath } from '../../../context/rankPaths.ts';

/** The files of the workspace and their folders, listed anew at most so often. */
export interface SearchableFiles {
  files(): Promise<readonly SearchablePath<RootFile>[]>;
  folders(): Promise<readonly SearchablePath<RootFile>[]>;
}

/** Time for which a list is taken as it is, in milliseconds: it is asked for with every letter. */
const freshForMs = 5_000;

export function createSearchableFiles(files: Pick<WorkspaceFiles, 'list'>): SearchableFiles {
  let made = Number.NEGATIVE_INFINITY;
  let listing: Promise<{ files: SearchablePath<RootFile>[]; folders: SearchablePath<RootFile>[] }> | undefined;

  async function list() {
    const found = await files.list(new AbortController().signal);
    const roots = [...new Set(found.map(({ root }) => root))];
    const folders = roots.flatMap((root) =>
      foldersOf(found.flatMap((file) => (file.root === root ? [file.path] : []))).map((path) => ({ root, path })),
    );
    return { files: searchable(found), folders: searchable(folders) };
  }

  function fresh() {
    if (listing === undefined || performance.now() - made > freshForMs) {
      made = performance.now();
      listing = list();
      listing.catch(() => {
        listing = undefined;
      });
    }
    return listing;
  }

  return { files: async () => (await fresh()).files, folders: async () => (await fresh()).folders };
}

/** By the path that VS Code shows: where there are several folders, each begins with the folder's name. */
function searchable(found: readonly RootFile[]): SearchablePath<RootFile>[] {
  const folders = workspace.workspaceFolders ?? [];
  const names = new Map(folders.map(({ uri, name }) => [uri.fsPath, folders.length > 1 ? `${name}/` : '']));
  return found.map((file) => searchablePath((names.get(file.root) ?? '') + file.path, file));
}

import { type Event, extensions, type Uri } from 'vscode';

/** A repository of VS Code's git extension, as far as it is used here: its API, version 1. */
export interface GitRepository {
  readonly rootUri: Uri;
  /** The box in which the message of the next commit is written. */
  readonly inputBox: { value: string };
}

export interface GitApi {
  readonly repositories: readonly GitRepository[];
  /** The repository that holds a file or folder. */
  getRepository(uri: Uri): GitRepository | null;
  readonly onDidCloseRepository: Event<GitRepository>;
}

/** VS Code's git; undefined where it is turned off, or git is not installed. */
export async function findGit(): Promise<GitApi | undefined> {
  try {
    const extension = extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    return (await extension?.activate())?.getAPI(1);
  } catch {
    return undefined;
  }
}

import { type Extension, extensions } from 'vscode';

/** The extension under test. */
export function subject(): Extension<unknown> {
  const found = extensions.getExtension('parley.parley');
  if (found === undefined) throw new Error('VS Code does not know the extension parley.parley.');
  return found;
}

/** Where the extension is loaded from: the root of the repository, or where VS Code installed it. */
export function extensionPath(): string {
  return subject().extensionPath;
}

/** The root of the repository, with the fixtures and the suites. */
export function repositoryRoot(): string {
  const root = process.env.PARLEY_TEST_ROOT;
  if (root === undefined) throw new Error('PARLEY_TEST_ROOT does not say where the repository is.');
  return root;
}

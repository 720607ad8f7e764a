import { type Extension, extensions } from 'vscode';

/** The extension under test. */
export function subject(): Extension<unknown> {
  const found = extensions.getExtension('parley.parley');
  if (found === undefined) throw new Error('VS Code does not know the extension parley.parley.');
  return found;
}

/** The root of the repository: the extension is loaded from where it is developed. */
export function extensionPath(): string {
  return subject().extensionPath;
}

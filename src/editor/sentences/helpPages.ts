import { commands, Uri } from 'vscode';
import type { ErrorKind } from '../../base/errors.ts';

/** Errors of which the page on messages says more than the sentence and its button: those that a network may cause. */
const explained: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  ...(['dns', 'refused', 'tls', 'proxy', 'timeout', 'redirect', 'insecure'] as const),
  ...(['not-found', 'login-page', 'malformed'] as const),
]);

export const isExplained = (kind: ErrorKind): boolean => explained.has(kind);

/** Shows the page on messages. */
export const showTroubleshooting = (extension: Uri): Promise<void> =>
  showPage(extension, 'troubleshooting.md', 'connection-and-requests');

/** Shows how a model is started on one's own machine. */
export const showLocalServers = (extension: Uri): Promise<void> =>
  showPage(extension, 'connect.md', 'a-model-on-your-own-machine');

/** Shows a page that is packed with the extension, so that it fits its version and needs no network. */
async function showPage(extension: Uri, name: string, fragment: string): Promise<void> {
  const page = Uri.joinPath(extension, 'docs', name).with({ fragment });
  await commands.executeCommand('markdown.showPreview', page);
}

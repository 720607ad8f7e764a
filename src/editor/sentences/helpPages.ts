import { commands, Uri } from 'vscode';
import type { ErrorKind } from '../../base/errors.ts';

/** Errors of which the page on messages says more than the sentence and its button: those that a network may cause. */
const explained: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  ...(['dns', 'refused', 'tls', 'proxy', 'timeout', 'redirect', 'insecure'] as const),
  ...(['not-found', 'login-page', 'malformed'] as const),
]);

export const isExplained = (kind: ErrorKind): boolean => explained.has(kind);

/** Shows the page on messages, which is packed with the extension, so that it fits its version and needs no network. */
export async function showTroubleshooting(extension: Uri): Promise<void> {
  const page = Uri.joinPath(extension, 'docs', 'troubleshooting.md').with({ fragment: 'connection-and-requests' });
  await commands.executeCommand('markdown.showPreview', page);
}

import { randomBytes } from 'node:crypto';
import { type Disposable, Uri, type Webview } from 'vscode';

/** The page of a webview: one bundle, one style sheet, the strings it shows. */
export interface WebviewPage {
  /** Name of the bundle in dist/webview, without extension. */
  script: 'chat' | 'transcript';
  /** Language of the strings, for screen readers. */
  language: string;
  title: string;
  /** Whether the page may play media of the workspace, and read their bytes for a picture of the sound. */
  media?: boolean;
}

/**
 * Fills a webview with a page under the strictest policy that works: scripts by nonce, styles and the icon font from the
 * extension, no images, no network: where media are played, what may be read is what may be played.
 */
export function writePage(webview: Webview, extensionUri: Uri, page: WebviewPage): void {
  const nonce = randomBytes(16).toString('base64');
  const asset = (...path: string[]): string => String(webview.asWebviewUri(Uri.joinPath(extensionUri, ...path)));
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    ...(page.media ? [`media-src ${webview.cspSource}`, `connect-src ${webview.cspSource}`] : []),
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${asset('dist', 'webview', 'codicon.css')}">
<link rel="stylesheet" href="${asset('media', `${page.script}.css`)}">
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${asset('dist', 'webview', `${page.script}.js`)}"></script>
</body>
</html>`;
}

/** The folders a webview of Parley may load from, and no others. */
export function resourceRoots(extensionUri: Uri): Uri[] {
  return [Uri.joinPath(extensionUri, 'dist', 'webview'), Uri.joinPath(extensionUri, 'media')];
}

/**
 * Listens to a webview. Each message is checked by `parse`, which returns undefined for anything that is not exactly a
 * message of the protocol; such a message is dropped and counted in the log, never acted upon.
 */
export function listen<T>(
  webview: Webview,
  parse: (message: unknown) => T | undefined,
  handle: (message: T) => void | Promise<void>,
  onRefused: () => void,
): Disposable {
  return webview.onDidReceiveMessage((raw: unknown) => {
    const message = parse(raw);
    if (message === undefined) onRefused();
    else void handle(message);
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

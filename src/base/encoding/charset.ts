/**
 * The charset that a content type names, as the Encoding Standard calls it. `utf-8` where it names none, or an unknown one.
 */
export function readCharset(contentType = ''): string {
  const [, named] = /charset="?([^\s";]{1,40})/i.exec(contentType) ?? [];
  try {
    // Servers that say ASCII and send more than that send UTF-8.
    return named?.toLowerCase() === 'us-ascii' ? 'utf-8' : new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}

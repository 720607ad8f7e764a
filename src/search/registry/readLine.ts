import type { Socket } from 'node:net';
import { longestLine } from './questionProtocol.ts';

/** Reads the one line that a connection sends; a longer one ends it. */
export function readLine(connection: Socket, onLine: (line: string) => Promise<void> | void): void {
  let text = '';
  let isRead = false;
  connection.setEncoding('utf8');
  connection.on('data', (piece: string) => {
    if (isRead) return;
    text += piece;
    const end = text.indexOf('\n');
    if (end < 0 && text.length <= longestLine) return;
    isRead = true;
    if (end < 0 || end > longestLine) connection.destroy();
    else void Promise.resolve(onLine(text.slice(0, end))).catch(() => connection.destroy());
  });
}

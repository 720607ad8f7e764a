import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type FolderIndex, openFolderIndex } from '../registry/folderIndex.ts';
import { createMcpServer } from './server.ts';

/**
 * Serves the index of these folders to an agent over standard input and output, until the agent closes them. The index is opened with the
 * first question.
 * @param data the data folder of this user
 * @param folders absolute paths
 */
export async function serveMcp(version: string, data: string, folders: readonly string[]): Promise<void> {
  let opened: Promise<FolderIndex> | undefined;
  const index = (): Promise<FolderIndex> => {
    opened ??= openFolderIndex(data, folders).catch((error: unknown) => {
      // A folder that could not be opened may be there at the next question.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  await new Promise<void>((resolve) => {
    const server = serveStdio(() => createMcpServer(version, index));
    const end = (): void => {
      void server.close().finally(resolve);
    };
    process.stdin.once('end', end).once('close', end);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
  await (await opened?.catch(() => undefined))?.close();
}

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type FolderIndex, openFolderIndex } from '../registry/folderIndex.ts';
import type { TeamIndex } from '../team/teamIndex.ts';
import { createMcpServer } from './server.ts';

/**
 * Serves the index of these folders to an agent over standard input and output, until the agent closes them. The index is opened with the
 * first question.
 * @param data the data folder of this user
 * @param folders absolute paths
 * @param openTeam gives the index of a team to each index that is opened, which closes it
 */
export async function serveMcp(
  version: string,
  data: string,
  folders: readonly string[],
  openTeam: () => TeamIndex | undefined,
): Promise<void> {
  const index = createIndexOpener(data, folders, openTeam);
  await new Promise<void>((resolve) => {
    const server = serveStdio(() => createMcpServer(version, index.open));
    const end = (): void => {
      void server.close().finally(resolve);
    };
    process.stdin.once('end', end).once('close', end);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
  await index.close();
}

/** Opens the index of the folders with the first question, and another one as soon as an editor has made it. */
function createIndexOpener(data: string, folders: readonly string[], openTeam: () => TeamIndex | undefined) {
  const all: FolderIndex[] = [];
  let opened: Promise<FolderIndex> | undefined;
  let opening: Promise<FolderIndex> | undefined;

  async function current(): Promise<FolderIndex> {
    const known = await opened?.catch(() => undefined);
    if (known !== undefined && !(await known.isOutdated())) return known;
    opened = openFolderIndex(data, folders, openTeam());
    const made = await opened;
    // One of before stays open for the questions that it is answering.
    all.push(made);
    return made;
  }

  return {
    open: (): Promise<FolderIndex> => {
      // Questions that come together open one index together.
      opening ??= current().finally(() => {
        opening = undefined;
      });
      return opening;
    },
    close: async (): Promise<void> => {
      await opening?.catch(() => undefined);
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

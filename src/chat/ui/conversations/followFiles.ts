import type { Disposable } from 'vscode';
import type { History } from '../../history/history.ts';

/** Milliseconds between two lists while files change. */
const listEveryMs = 1000;

/**
 * Watches the files of conversations, which other windows write.
 * @param follow takes in what changed in a file; gives whether the list may be another one now
 */
export function followFiles(
  history: History,
  follow: (id: string) => Promise<boolean>,
  onList: () => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const list = (): void => {
    timer = undefined;
    onList();
  };
  const watching = history.watch(async (id) => {
    if (await follow(id)) timer ??= setTimeout(list, listEveryMs);
  });
  // Without a watch, windows hear of each other when a conversation is opened.
  const stop = watching.catch(() => () => {});
  return {
    dispose() {
      clearTimeout(timer);
      void stop.then((end) => end());
    },
  };
}

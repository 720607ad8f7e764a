import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether an index is on the disk, from which it may vanish underneath. */
export interface IndexPresence {
  /** Not while it is being removed. */
  exists(): Promise<boolean>;
  /** It was seen. */
  note(): void;
  /** Whether it was there, and is gone although nothing here has removed it; true once. */
  wasLost(): Promise<boolean>;
  /** Whether it is about to be made, or was begun after it was lost; of the latter once. */
  isMadeAnew(): Promise<boolean>;
  /** Whether it is being removed, or was, and nobody has made it again. */
  isRemoved(): Promise<boolean>;
  /** Removes it: while that goes on, and after it, there is none. */
  removing<T>(remove: () => Promise<T>): Promise<T>;
}

/** @param directory of the index */
export function createIndexPresence(directory: string): IndexPresence {
  let wasThere = false;
  let isRemoving = false;
  let wasRemoved = false;
  let isBegunAnew = false;

  async function exists(): Promise<boolean> {
    const isThere = await access(join(directory, 'index.db')).then(
      () => true,
      () => false,
    );
    if (isRemoving) return false;
    wasThere ||= isThere;
    return isThere;
  }

  return {
    exists,
    note() {
      wasThere = true;
    },
    async wasLost() {
      if (!wasThere || isRemoving || (await exists()) || isRemoving) return false;
      wasThere = false;
      isBegunAnew = true;
      return true;
    },
    async isMadeAnew() {
      const isBegun = isBegunAnew;
      isBegunAnew = false;
      return isBegun || !(await exists());
    },
    isRemoved: async () => !(await exists()) && (isRemoving || wasRemoved),
    async removing(remove) {
      isRemoving = true;
      try {
        return await remove();
      } finally {
        wasThere = false;
        wasRemoved = true;
        isRemoving = false;
      }
    },
  };
}

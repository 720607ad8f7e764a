/** Decides when a conversation is saved: a while after a change, and whenever it is asked for. */
export interface Autosave {
  /** Notes a change: it is written `everyMs` from now, with all changes until then. */
  changed(): void;
  /** Writes now. */
  save(): Promise<void>;
  /** Whether a change waits to be written. */
  readonly isDue: boolean;
}

/** Time between two saves of an answer that streams, in milliseconds: a crash loses the text of that time. */
export const saveEveryMs = 2000;

/** @param write does not reject */
export function createAutosave(write: () => Promise<void>, everyMs = saveEveryMs): Autosave {
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await write();
  }

  return {
    get isDue() {
      return timer !== undefined;
    },
    changed() {
      timer ??= setTimeout(() => void save(), everyMs);
    },
    save,
  };
}

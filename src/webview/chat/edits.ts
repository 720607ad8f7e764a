/** The questions that are being edited, and what is written of each: it outlives the page, and a look at another version. */
export interface Edits {
  get(question: string): string | undefined;
  /** @param text undefined when the edit is closed */
  set(question: string, text: string | undefined): void;
  /** All of them, to be kept. */
  readonly all: Readonly<Record<string, string>>;
}

/** The most edits that are kept: those that were written in last. */
const mostEdits = 20;

export function createEdits(saved: Readonly<Record<string, string>> = {}, onChange: () => void): Edits {
  const open = new Map(Object.entries(saved));
  return {
    get: (question) => open.get(question),
    set(question, text) {
      open.delete(question);
      if (text !== undefined) open.set(question, text);
      for (const oldest of [...open.keys()].slice(0, -mostEdits)) open.delete(oldest);
      onChange();
    },
    get all() {
      return Object.fromEntries(open);
    },
  };
}

/** How long a list is good for, in milliseconds: VS Code asks for it again and again. */
const freshForMs = 60_000;

/** Lists of models by address, each asked for once while it is fresh. A failure is not kept. */
export interface ModelLists<T> {
  /** @param ask asks the service; called when there is no fresh list */
  get(baseUrl: string, ask: () => Promise<T>): Promise<T>;
  clear(): void;
}

/** @param now milliseconds since the epoch */
export function createModelLists<T>(now: () => number): ModelLists<T> {
  const lists = new Map<string, { list: Promise<T>; askedAt: number }>();
  return {
    get(baseUrl, ask) {
      const known = lists.get(baseUrl);
      if (known !== undefined && now() - known.askedAt < freshForMs) return known.list;
      const entry = { list: ask(), askedAt: now() };
      lists.set(baseUrl, entry);
      entry.list.catch(() => {
        if (lists.get(baseUrl) === entry) lists.delete(baseUrl);
      });
      return entry.list;
    },
    clear: () => lists.clear(),
  };
}

import type { Memento } from 'vscode';
import { type Filters, isSameFilters } from '../shared/filters.ts';

/** A search whose results were used. */
export interface PastSearch {
  readonly text: string;
  readonly filters: Filters;
}

/** The searches of this workspace whose results were opened or kept, the latest first. */
export interface SearchHistory {
  entries(): readonly PastSearch[];
  add(search: PastSearch): Promise<void>;
  remove(search: PastSearch): Promise<void>;
  clear(): Promise<void>;
}

const key = 'parley.search.history';
const mostKept = 50;

export function createSearchHistory(memory: Memento): SearchHistory {
  const entries = (): readonly PastSearch[] => memory.get<PastSearch[]>(key, []);
  const without = ({ text, filters }: PastSearch): PastSearch[] =>
    entries().filter((other) => other.text !== text || !isSameFilters(other.filters, filters));
  return {
    entries,
    add: async (search) => memory.update(key, [search, ...without(search)].slice(0, mostKept)),
    remove: async (search) => memory.update(key, without(search)),
    clear: async () => memory.update(key, undefined),
  };
}

import { joinKeptSets, type KeptSet, knows } from './keptSet.ts';

/** What a window shows of the sets that others have written, and what has to wait. */
export interface TakenSets {
  /** Those that it shows, with its own that are for the same files: each file in its newest state in all of them. */
  readonly taken: readonly KeptSet[];
  /** Those whose files know nothing of a set that is for the same: shown now, they would take its changes away. */
  readonly waiting: readonly KeptSet[];
}

/**
 * Takes sets over that another window has written, or that were kept before a reload.
 * @param beside those that are shown for the same files
 * @param news in any order
 */
export function takeSets(beside: readonly KeptSet[], news: readonly KeptSet[]): TakenSets {
  const taken: KeptSet[] = [];
  const waiting: KeptSet[] = [];
  for (const set of [...news].sort((a, b) => b.time - a.time)) {
    const fits = beside.every((other) => knows(set, other)) && taken.every((newer) => knows(newer, set));
    (fits ? taken : waiting).push(set);
  }
  // The oldest first, as they came.
  return { taken: joinKeptSets([...beside, ...taken].sort((a, b) => (a.id < b.id ? -1 : 1))), waiting };
}

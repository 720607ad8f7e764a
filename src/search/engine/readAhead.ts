import { join } from 'node:path';
import type { Scope } from '../../workspace/fileFilter.ts';
import { isWithin } from '../../workspace/git/git.ts';
import { scannedAt } from '../indexing/scan.ts';
import { parseQuery } from '../query/filter/parseQuery.ts';
import { mostAsked } from '../query/query.ts';
import type { Store } from '../store/store.ts';
import type { WordCounts } from '../store/wordIndex.ts';
import { queryWords } from '../store/words.ts';
import type { TeamIndex } from '../team/teamIndex.ts';

/** Reads the files first that a team's index finds for a question: a clone that was never read answers it at once. */
export interface ReadAhead {
  /**
   * Reads files of a question without filters. Their words are found here, and by the rules for files of here, as if all had been read.
   * @returns false where there is no team, or none of the texts that it found are here: all files have to be read before anything is answered
   */
  read(scope: Scope, question: string, signal: AbortSignal): Promise<boolean>;
  /** How common the words of that question are in the whole repository, while the index of this machine has a part of it alone. */
  counts(words: readonly string[]): WordCounts | undefined;
}

/** The most files: so many are read in a moment. */
const mostFiles = 200;

/** @param readSome reads files by their absolute paths, if they may be read */
export function createReadAhead(
  store: () => Store,
  team: TeamIndex | undefined,
  readSome: (scope: Scope, files: readonly string[], signal: AbortSignal) => Promise<unknown>,
): ReadAhead {
  let counts: WordCounts | undefined;
  const isHere = (root: string, hashes: readonly Uint8Array[]): boolean =>
    hashes.some((hash) => store().chunksWithText(root, hash, 1).length > 0);

  return {
    async read(scope, question, signal) {
      if (team === undefined) return false;
      const { text, filters, rules = [] } = parseQuery(question.slice(0, mostAsked));
      // What the first files with the words are left with by a filter is not what all files have.
      const isNarrowed = rules.length > 0 || Object.values(filters).some((filter) => filter && filter.length > 0);
      const words = isNarrowed ? [] : queryWords(text);
      if (words.length === 0) return false;
      const found = await Promise.all(
        scope.roots.map(async (root) => ({ root, ...(await team.withWords(root, words, signal)) })),
      );
      const files = found.flatMap(({ root, paths = [] }) =>
        paths
          .filter(isWithin)
          .slice(0, mostFiles)
          .map((path) => join(root, path)),
      );
      if (files.length === 0) return false;
      await readSome(scope, files, signal);
      counts = sumOf(found.flatMap((each) => each.counts ?? []));
      // A folder that the team has nothing of has to be read as it is.
      const areAllKnown = found.every((each) => (each.counts?.chunks ?? 0) > 0);
      return areAllKnown && found.some(({ root, hashes = [] }) => isHere(root, hashes));
    },
    counts: (words) =>
      counts !== undefined && scannedAt(store()) === undefined && words.every((word) => counts?.withWord.has(word))
        ? counts
        : undefined,
  };
}

function sumOf(all: readonly WordCounts[]): WordCounts {
  const withWord = new Map<string, number>();
  for (const { withWord: some } of all) for (const [word, n] of some) withWord.set(word, (withWord.get(word) ?? 0) + n);
  return { chunks: all.reduce((sum, { chunks }) => sum + chunks, 0), withWord };
}

import type { Store } from '../store/store.ts';
import type { WordCounts } from '../store/wordIndex.ts';
import type { Nearest } from '../types.ts';
import type { IndexStore, NearText } from './indexStore.ts';
import type { TeamConnection } from './teamConnection.ts';

/** Finds chunks of this machine by the vectors of a team: those that were never taken, or never will be, as there are too many. */
export interface TeamHits {
  /** Whether the store answers, so that a question is worth its vector. */
  isThere(roots: readonly string[], signal: AbortSignal): Promise<boolean>;
  /**
   * The chunks nearest to a vector, the nearest first. A text of the team is a hit only where the index of this machine has it, by its
   * hash: what others have written is shown to nobody who has not got it.
   * @returns undefined where the store could not be asked
   */
  near(question: NearQuestion): Promise<Nearest[] | undefined>;
  /**
   * The files of a folder in which the team's index finds words of a question, those with the best texts first, and how many of its chunks
   * have each word. For a clone that has not been read yet: whether the files are there, and what is in them now, is seen here.
   * @param words in the form of `queryWords`
   * @returns relative paths with `/`; undefined where the store could not be asked
   */
  withWords(root: string, words: readonly string[], signal: AbortSignal): Promise<WordFiles | undefined>;
}

/** Files that have words, and how common these are. */
interface WordFiles {
  readonly paths: readonly string[];
  /** SHA-256 of the texts in which words were found. */
  readonly hashes: readonly Uint8Array[];
  readonly counts: WordCounts;
}

interface NearQuestion {
  readonly store: () => Store;
  /** As `sourceName` gives it. */
  readonly source: string;
  readonly roots: readonly string[];
  readonly vector: Float32Array;
  /** The most chunks. */
  readonly limit: number;
  /** Of these files alone. */
  readonly files: readonly number[] | undefined;
  readonly signal: AbortSignal;
}

/** The most paths that go along with a question. With more of them, more texts are asked for, and filtered here. */
const mostPaths = 5_000;
/** Texts that are asked for, as a multiple of the limit: those of other branches are no hits here. More only where they do not suffice. */
const overFetch = [2, 20] as const;
/** Texts with words that are asked for, as many as are candidates of a search. */
const mostWordTexts = 200;
/** The most chunks of one text: a licence stands in every file. */
const mostOfText = 20;

/** @param patienceMs how long a person waits for the store of a team at most: the index of this machine has answered long before */
export function createTeamHits(connection: TeamConnection, patienceMs = 4_000): TeamHits {
  const patience = { rests: true, ms: patienceMs };

  async function nearOfRoot(root: string, question: NearQuestion): Promise<Nearest[] | undefined> {
    const { store, source, vector, limit, files, signal } = question;
    const known = files && store().pathsOfFiles(root, files, mostPaths + 1);
    if (known?.length === 0) return [];
    const paths = known !== undefined && known.length > mostPaths ? undefined : known;
    const accepted = files && new Set(files);
    const ask = async (team: IndexStore, bounded: AbortSignal): Promise<Nearest[]> => {
      let hits: Nearest[] = [];
      for (const factor of overFetch) {
        const most = limit * factor;
        const texts = await team.nearest(source, vector, most, paths, bounded);
        hits = chunksOf(store(), root, texts, accepted).slice(0, limit);
        if (hits.length >= limit || texts.length < most) break;
      }
      return hits;
    };
    return connection.use(root, signal, ask, patience);
  }

  return {
    async isThere(roots, signal) {
      const found = await Promise.all(roots.map((root) => connection.use(root, signal, async () => true, patience)));
      return found.includes(true);
    },
    withWords: (root, words, signal) =>
      connection.use(
        root,
        signal,
        async (team, bounded) => {
          const [texts, counts] = await Promise.all([
            team.findWords(words, mostWordTexts, undefined, bounded),
            team.countWords(words, bounded),
          ]);
          const paths = new Set(texts.flatMap(({ places }) => places.map(({ path }) => path)));
          return { paths: [...paths], hashes: texts.map(({ hash }) => hash), counts };
        },
        patience,
      ),
    async near(question) {
      const found = await Promise.all(question.roots.map((root) => nearOfRoot(root, question)));
      if (found.every((hits) => hits === undefined)) return undefined;
      return found.flatMap((hits) => hits ?? []).sort((a, b) => b.cosine - a.cosine);
    },
  };
}

/** The chunks of this machine with these texts. */
function chunksOf(
  store: Store,
  root: string,
  texts: readonly NearText[],
  accepted: ReadonlySet<number> | undefined,
): Nearest[] {
  return texts.flatMap(({ hash, cosine }) =>
    store
      .chunksWithText(root, hash, mostOfText)
      .filter(({ file }) => accepted?.has(file) ?? true)
      .map(({ id }) => ({ id, cosine })),
  );
}

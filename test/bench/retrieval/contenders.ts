import { type Gains, gains, rank } from '../../../src/search/query/ranking.ts';
import type { ChunkOutline, StoredChunk } from '../../../src/search/store/files/chunkReader.ts';
import type { Store } from '../../../src/search/store/store.ts';
import type { WordHit } from '../../../src/search/store/wordIndex.ts';
import { queryWords } from '../../../src/search/store/words.ts';
import { type Finder, hitsLooked } from './baselines.ts';

/** Candidates by words, as `search/query/finder.ts` takes them. */
const candidates = 200;

/** Chunks of an index, each read once. Of a text only the place is kept: ranking reads it for the preview alone. */
function quickReader(store: Store): Pick<Store, 'outline' | 'chunk'> {
  const outlines = new Map<number, ChunkOutline | undefined>();
  const chunks = new Map<number, StoredChunk | undefined>();
  return {
    outline(id) {
      if (!outlines.has(id)) outlines.set(id, store.outline(id));
      return outlines.get(id);
    },
    chunk(id) {
      if (!chunks.has(id)) {
        const chunk = store.chunk(id);
        chunks.set(id, chunk && { ...chunk, text: '' });
      }
      return chunks.get(id);
    },
  };
}

/** Parley's search by words, with any gains; the words of a question are looked up once for all of them. */
export function createParley(store: Store): (counts?: Gains) => Finder {
  const reader = quickReader(store);
  const found = new Map<string, WordHit[]>();
  return (counts = gains) =>
    (text) => {
      const words = found.get(text) ?? store.findWords(queryWords(text), candidates);
      found.set(text, words);
      return rank(text, words, [], reader, hitsLooked, counts).map(({ chunk }) => chunk);
    };
}

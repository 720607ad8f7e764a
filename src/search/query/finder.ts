import { maxBytes } from '../chunker/size.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Store } from '../store/store.ts';
import type { Place } from '../types.ts';
import type { Holding } from './filter/findHolding.ts';
import { createFindByMeaning, type FarVectors, type MeaningHalf, type VectorFor } from './findByMeaning.ts';
import { findByWords, findHeldByWords, manyCandidates } from './findByWords.ts';
import { createQueryVectors } from './queryVectors.ts';
import type { Found } from './ranking.ts';

/** Candidates of both halves for a query text. */
export interface Candidates extends Found, Omit<MeaningHalf, 'hits'> {}

/** Both halves of a search: chunks near a text by meaning, and chunks with its words. */
export interface Finder {
  /** @param holding what has to stand in the text of a hit, of whichever half, and what must not */
  find(
    text: string,
    embeddingModel: EmbeddingModel | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
    holding?: Holding,
    far?: FarVectors,
  ): Promise<Candidates>;
  /** Searches with the code's vector, which may be stored already; without vectors, by its words, the rare ones first. */
  findSimilar(
    text: string,
    place: Place,
    embeddingModel: EmbeddingModel | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
    far?: FarVectors,
  ): Promise<Candidates>;
}

export function createFinder(store: () => Store): Finder {
  const queryVector = createQueryVectors();
  const findByMeaning = createFindByMeaning(store);

  return {
    async find(text, embeddingModel, files, signal, holding, far) {
      const vectorFor: VectorFor = (by, _, isAnew) => queryVector((by.queryPrefix ?? '') + text, by, signal, isAnew);
      const chunks = holding?.chunks;
      const within = chunks === undefined ? files : [...new Set(chunks.map(({ file }) => file))];
      // A regular expression alone means nothing, and where nothing is held there is nothing to ask for.
      const model = text === '' || within?.length === 0 ? undefined : embeddingModel;
      const { hits, ...half } = await findByMeaning(model, vectorFor, within, far);
      if (chunks !== undefined) {
        const held = new Set(chunks.map(({ id }) => id));
        return {
          text,
          ...half,
          meaning: hits.filter(({ id }) => held.has(id)),
          ...findHeldByWords(store(), text, chunks),
        };
      }
      const { words, ...about } = findByWords(store(), text, files, holding && manyCandidates);
      if (holding === undefined) return { text, ...half, meaning: hits, words, ...about };
      const kept = holding.keep([...hits, ...words].map(({ id }) => id));
      const isKept = ({ id }: { readonly id: number }): boolean => kept.has(id);
      return { text, ...half, meaning: hits.filter(isKept), words: words.filter(isKept), ...about };
    },
    async findSimilar(text, place, embeddingModel, files, signal, far) {
      const own = store().chunksAt(place);
      const code = (text.trim() === '' ? (own[0]?.text ?? '') : text).trim().slice(0, maxBytes);
      if (code === '') return { text: '', by: 'keywords', meaning: [], words: [] };
      const same = own.find((chunk) => chunk.text.trim() === code);
      const vectorFor: VectorFor = async (by, space, isAnew) =>
        (same && space !== undefined ? store().vectorOf(space, same.hash) : undefined) ??
        (await queryVector((by.documentPrefix ?? '') + code, by, signal, isAnew));
      const { hits, ...half } = await findByMeaning(embeddingModel, vectorFor, files, far);
      const { words, ...about } = half.by === 'both' ? { words: [] } : findByWords(store(), code, files);
      const isOther = ({ id }: { readonly id: number }): boolean => !own.some((chunk) => chunk.id === id);
      return { text: code, ...half, meaning: hits.filter(isOther), words: words.filter(isOther), ...about };
    },
  };
}

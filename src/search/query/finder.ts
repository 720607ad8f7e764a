import { maxBytes } from '../chunker/size.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Store } from '../store/store.ts';
import type { Place } from '../types.ts';
import { createFindByMeaning } from './findByMeaning.ts';
import { findByWords } from './findByWords.ts';
import type { SearchAnswer } from './query.ts';
import { createQueryVectors } from './queryVectors.ts';
import type { Found } from './ranking.ts';

/** Candidates of both halves for a query text. */
export interface Candidates extends Found {
  readonly by: SearchAnswer['by'];
}

/** Both halves of a search: chunks near a text by meaning, and chunks with its words. */
export interface Finder {
  find(
    text: string,
    embeddingModel: EmbeddingModel | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<Candidates>;
  /** Searches with the code's vector, which may be stored already; without vectors, by its words, the rare ones first. */
  findSimilar(
    text: string,
    place: Place,
    embeddingModel: EmbeddingModel | undefined,
    files: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<Candidates>;
}

/** @param spaceBefore the space of the previous model, while it covers more files */
export function createFinder(
  store: () => Store,
  spaceBefore: (embeddingModel: EmbeddingModel) => string | undefined,
): Finder {
  const queryVector = createQueryVectors();
  const findByMeaning = createFindByMeaning(store, spaceBefore);

  return {
    async find(text, embeddingModel, files, signal) {
      const vectorFor = (by: EmbeddingModel): Promise<Float32Array> =>
        queryVector((by.queryPrefix ?? '') + text, by, signal);
      const { by, hits } = await findByMeaning(embeddingModel, vectorFor, files);
      return { text, by, meaning: hits, ...findByWords(store(), text, files) };
    },
    async findSimilar(text, place, embeddingModel, files, signal) {
      const own = store().chunksAt(place);
      const code = (text.trim() === '' ? (own[0]?.text ?? '') : text).trim().slice(0, maxBytes);
      if (code === '') return { text: '', by: 'keywords', meaning: [], words: [] };
      const same = own.find((chunk) => chunk.text.trim() === code);
      const vectorFor = async (by: EmbeddingModel, space: number): Promise<Float32Array> =>
        (same && store().vectorOf(space, same.hash)) ??
        (await queryVector((by.documentPrefix ?? '') + code, by, signal));
      const { by, hits } = await findByMeaning(embeddingModel, vectorFor, files);
      const { words, ...about } = by === 'both' ? { words: [] } : findByWords(store(), code, files);
      const isOther = ({ id }: { readonly id: number }): boolean => !own.some((chunk) => chunk.id === id);
      return { text: code, by, meaning: hits.filter(isOther), words: words.filter(isOther), ...about };
    },
  };
}

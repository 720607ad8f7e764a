import { estimateTokens } from '../../base/tokens.ts';
import type { EmbedItem } from '../store/files/chunkReader.ts';

/** Texts that are sent together. */
export type TextBatch = readonly EmbedItem[];

/** The texts of a run in batches: those of refused batches first, then the others. */
export interface BatchQueue {
  /** The next part of a refused batch. The texts of one that is too large, as is known by now, are batched anew. */
  takePart(isTooLarge: (count: number) => boolean): TextBatch | undefined;
  /** The next batch of so many texts at most; fewer where their tokens, or the allowance, say so. */
  take(size: number): TextBatch;
  /** Adds parts of a refused batch: the last one is the next. */
  addParts(parts: readonly TextBatch[]): void;
  /** Has the texts of a batch taken again, in whatever batches. */
  batchAnew(batch: TextBatch): void;
}

/**
 * @param mostTokens estimated tokens of one batch
 * @param allowance estimated tokens of all batches; texts beyond that are not taken
 */
export function createBatchQueue(items: Iterable<EmbedItem>, mostTokens: number, allowance: number): BatchQueue {
  const source = items[Symbol.iterator]();
  const putBack: EmbedItem[] = [];
  const parts: TextBatch[] = [];
  let left = allowance;

  function batchAnew(batch: TextBatch): void {
    for (const { text } of batch) left += estimateTokens(text);
    putBack.push(...batch.toReversed());
  }

  return {
    takePart(isTooLarge) {
      for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
        if (part.length === 1 || !isTooLarge(part.length)) return part;
        batchAnew(part);
      }
      return undefined;
    },
    take(size) {
      const batch: EmbedItem[] = [];
      for (let tokens = 0; batch.length < size; ) {
        const item = putBack.pop() ?? source.next().value;
        if (item === undefined) break;
        const own = estimateTokens(item.text);
        if (own > left || (batch.length > 0 && tokens + own > mostTokens)) {
          putBack.push(item);
          break;
        }
        tokens += own;
        left -= own;
        batch.push(item);
      }
      return batch;
    },
    addParts: (more) => void parts.push(...more),
    batchAnew,
  };
}

import { isDefinition } from '../chunker/chunker.ts';
import type { StoredChunk } from '../store/files/chunkReader.ts';
import { stem } from '../store/stem.ts';
import { queryWords } from '../store/words.ts';
import type { QueryTerms } from './queryTerms.ts';

/** The lines that show why a chunk was found. Lines are counted from 1. */
export interface BestLines {
  /** The best of them, and its text. */
  readonly line: number;
  readonly preview: string;
  /** Those that show it about as well, the best among them. */
  readonly lines: readonly number[];
}

/** Lines that only name what stands elsewhere. */
const pointing =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+.*\bfrom\b|use\s|using\s|#\s*include\b|require\b|package\b)|https?:\/\//;
/** The most lines that show why, and what each is worth at least as a share of the best. */
const [mostLines, leastShare] = [5, 0.6];
/** What a line that only points counts, and one that declares what it has words of. */
const [pointingFactor, definitionFactor] = [0.4, 1.5];

/** The lines with the most telling words of the question; without any, the first definition, or the first line with text. */
export function bestLines(chunk: StoredChunk, { words }: QueryTerms): BestLines {
  const texts = chunk.text.split('\n');
  const placed = texts
    .map((text, index) => ({ text, at: Math.min(chunk.startLine + index, chunk.endLine), worth: worthOf(text, words) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const best = placed[0] ?? { text: '', at: chunk.startLine, worth: 0 };
  const least = Math.max(best.worth * leastShare, leastWorth * 2);
  const others = placed.slice(1, mostLines).filter(({ worth, at }) => worth >= least && at !== best.at);
  return {
    line: best.at,
    preview: best.text.trim().slice(0, 200),
    lines: [best, ...others].map(({ at }) => at).sort((a, b) => a - b),
  };
}

function worthOf(line: string, words: QueryTerms['words']): number {
  if (!/[\p{L}\p{N}]/u.test(line)) return 0;
  const found = new Set(queryWords(line).map(stem));
  const shared = [...words].reduce((sum, [word, weight]) => sum + (found.has(word) ? weight : 0), 0);
  const isNamed = isDefinition(line);
  if (shared === 0) return isNamed ? leastWorth * 2 : leastWorth;
  return shared * (pointing.test(line) ? pointingFactor : isNamed ? definitionFactor : 1);
}

/** A line with text, which is less than any word of a question. */
const leastWorth = 1e-9;

import { isDefinition } from '../chunker/chunker.ts';
import { hasCompounds, isCompoundOf } from '../letters/compounds.ts';
import { foldLetters } from '../letters/foldLetters.ts';
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
  const heads = [...words.keys()].map(headOf);
  const isOfCompounds = hasCompounds(chunk.text);
  const worths = texts.map((text) => worthOf(text, words, heads, isOfCompounds));
  const hasWords = worths.some((worth) => worth > 0);
  const placed = texts
    .map((text, index) => ({
      text,
      at: Math.min(chunk.startLine + index, chunk.endLine),
      worth: hasWords ? (worths[index] as number) : worthWithoutWords(text),
    }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const best = placed[0] ?? { text: '', at: chunk.startLine, worth: 0 };
  const least = hasWords ? best.worth * leastShare : definitionWorth;
  const others = placed.slice(1, mostLines).filter(({ worth, at }) => worth >= least && at !== best.at);
  return {
    line: best.at,
    preview: best.text.trim().slice(0, 200),
    lines: [best, ...others].map(({ at }) => at).sort((a, b) => a - b),
  };
}

/** The letters that every word with this stem has: Porter's algorithm changes no more than the end, and adds an `e` at most. */
function headOf(stemOfWord: string): string {
  return stemOfWord.slice(0, Math.max(1, Math.min(3, stemOfWord.length - 1)));
}

/** What the words of a question in a line are worth. Most lines have none, which is seen without taking them apart. */
function worthOf(line: string, words: QueryTerms['words'], heads: readonly string[], isOfCompounds: boolean): number {
  const lower = foldLetters(line).toLowerCase();
  if (!heads.some((head) => lower.includes(head))) return 0;
  const own = queryWords(line);
  const found = new Set(own.map(stem));
  const isFound = (word: string): boolean =>
    found.has(word) || (isOfCompounds && own.some((each) => isCompoundOf(each, word)));
  const shared = [...words].reduce((sum, [word, weight]) => sum + (isFound(word) ? weight : 0), 0);
  if (shared === 0) return 0;
  return shared * (pointing.test(line) ? pointingFactor : isDefinition(line) ? definitionFactor : 1);
}

/** Without any word of the question a definition tells more than any other line with text. */
const definitionWorth = 2;

function worthWithoutWords(line: string): number {
  if (!/[\p{L}\p{N}]/u.test(line)) return 0;
  return isDefinition(line) ? definitionWorth : 1;
}

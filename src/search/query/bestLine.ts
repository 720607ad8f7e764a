import { isDefinition } from '../chunker/chunker.ts';
import type { StoredChunk } from '../store/files/chunkReader.ts';
import { stem } from '../store/stem.ts';
import { queryWords } from '../store/words.ts';
import type { Question } from './question.ts';

/** The line that best shows why a chunk was found, from 1, and its text. */
export interface BestLine {
  readonly line: number;
  readonly preview: string;
}

/** Lines that only name what stands elsewhere. */
const pointing =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+.*\bfrom\b|use\s|using\s|#\s*include\b|require\b|package\b)|https?:\/\//;
/** What a line that only points counts, and one that declares what it has words of. */
const [pointingFactor, definitionFactor] = [0.4, 1.5];

/** The line with the most telling words of the question; without any, the first definition, or the first line with text. */
export function bestLine(chunk: StoredChunk, { words }: Question): BestLine {
  const lines = chunk.text.split('\n');
  let best = { index: 0, worth: -1 };
  for (const [index, line] of lines.entries()) {
    if (!/[\p{L}\p{N}]/u.test(line)) continue;
    const found = new Set(queryWords(line).map(stem));
    const shared = [...words].reduce((sum, [word, weight]) => sum + (found.has(word) ? weight : 0), 0);
    const isNamed = isDefinition(line);
    const factor = pointing.test(line) ? pointingFactor : isNamed ? definitionFactor : 1;
    const worth = shared === 0 ? (isNamed ? leastWorth : 0) : shared * factor;
    if (worth > best.worth) best = { index, worth };
  }
  const line = Math.min(chunk.startLine + best.index, chunk.endLine);
  return { line, preview: (lines[best.index] ?? '').trim().slice(0, 200) };
}

/** Less than any word of a question. */
const leastWorth = 1e-9;

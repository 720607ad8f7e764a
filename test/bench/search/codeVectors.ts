import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { indexedWords } from '../../../src/search/store/words.ts';
import { createNoise, createRandom, dimensions, unit } from './vectors.ts';

const linesOfChunk = 25;
const mostBytes = 400_000;
const directions = 1 << 22;

/**
 * Vectors of real code, without a model: the words of chunks of the packages at hand, weighed by TF-IDF, each word with a
 * direction by chance. Harder than those of a model, whose directions have more structure.
 */
export function codeVectors(folder: string, most: number): { vector: Float32Array; isQuestion: boolean }[] {
  const chunks: { counts: Map<string, number>; isQuestion: boolean }[] = [];
  const inChunks = new Map<string, number>();
  const seen = new Set<string>();
  for (const file of codeFiles(folder)) {
    const lines = readFileSync(file, 'utf8').split('\n');
    for (let line = 0; line + 5 < lines.length && chunks.length < most; line += linesOfChunk) {
      const words =
        indexedWords(lines.slice(line, line + linesOfChunk).join('\n'))
          .toLowerCase()
          .match(/[a-z]\w+/g) ?? [];
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      // The same text is one text to the index, however many files have it.
      const key = [...counts].sort().join();
      if (counts.size < 8 || seen.has(key)) continue;
      seen.add(key);
      chunks.push({ counts, isQuestion: isQuestion(key) });
      for (const word of counts.keys()) inChunks.set(word, (inChunks.get(word) ?? 0) + 1);
    }
    if (chunks.length >= most) break;
  }
  const random = createRandom(7);
  const noise = createNoise(random, directions);
  const places = new Map([...inChunks.keys()].map((word) => [word, Math.floor(random() * (directions - dimensions))]));
  return chunks.map(({ counts, isQuestion }) => {
    const vector = new Float32Array(dimensions);
    for (const [word, count] of counts) {
      const weight = (1 + Math.log(count)) * Math.log(chunks.length / (inChunks.get(word) ?? 1));
      const at = places.get(word) ?? 0;
      for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] as number) + weight * (noise[at + d] as number);
    }
    return { vector: unit(vector), isQuestion };
  });
}

/** One in sixty, by its own words: another version of a package changes no questions but those about it. */
function isQuestion(words: string): boolean {
  return createHash('sha256').update(words).digest().readUInt32LE() % 60 === 0;
}

function codeFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => /\.(ts|js|mjs|cjs|tsx|jsx)$/.test(path) && !/\.min\.|dist\/|bundle/.test(path))
    .sort()
    .filter((path) => {
      const file = statSync(path);
      return file.isFile() && file.size > 500 && file.size < mostBytes;
    });
}

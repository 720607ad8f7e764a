import { unit } from '../../search/vectors.ts';

const dimensions = 512;

/**
 * Words and their trigrams of letters, hashed into few dimensions (feature hashing, Weinberger et al., ICML 2009): knows no
 * meaning, and hardly which words are rare. A poor model.
 */
export function hashedVector(words: readonly string[]): Float32Array {
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    for (let at = 0; at + 3 <= word.length; at++) {
      const part = `#${word.slice(at, at + 3)}`;
      counts.set(part, (counts.get(part) ?? 0) + 0.3);
    }
  }
  const vector = new Float32Array(dimensions);
  for (const [feature, count] of counts) {
    const hash = fnv(feature);
    const at = hash % dimensions;
    vector[at] = (vector[at] as number) + (hash & 0x40000000 ? 1 : -1) * Math.log1p(count);
  }
  return unit(vector);
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The low bits of short texts differ little.
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

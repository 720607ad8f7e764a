import { crc32 } from 'node:zlib';

const dimensions = 1024;
/** How many vectors the service of the bench has for all texts. */
export const poolSize = 64;

/** The place of a text's vector in the pool. */
export function placeOf(text: string): number {
  return crc32(text) % poolSize;
}

/** The numbers of a vector of the pool, as they are written. */
export function numbersAt(place: number): string[] {
  return Array.from({ length: dimensions }, (_, i) => Math.sin((place + 1) * (i + 1) * 0.7).toFixed(6));
}

const vectors = new Map<number, Float32Array>();

/** The vector of a text, out of the pool. */
export function vectorOf(text: string): Float32Array {
  const place = placeOf(text);
  const known = vectors.get(place) ?? Float32Array.from(numbersAt(place), Number);
  vectors.set(place, known);
  return known;
}

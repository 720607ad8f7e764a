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

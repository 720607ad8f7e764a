import { bytesWithin } from '../../base/tokens.ts';

/** Estimated tokens of a chunk; only the last chunk of a text may have fewer. */
export const chunkTokens = { min: 200, max: 400 } as const;

/** The same limits in bytes of UTF-8: `minBytes` bytes have at least `min` tokens, `maxBytes` bytes at most `max`. */
export const minBytes = bytesWithin(chunkTokens.min - 1) + 1;
export const maxBytes = bytesWithin(chunkTokens.max);

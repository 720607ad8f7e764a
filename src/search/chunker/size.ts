import { bytesWithin } from '../../service/tokens.ts';

/** Chunks have about this many estimated tokens; only the last of a text may have fewer. */
export const chunkTokens = { min: 200, max: 400 } as const;

/** The same in bytes of UTF-8: what has `minBytes` has `min` tokens, what has `maxBytes` has no more than `max`. */
export const minBytes = bytesWithin(chunkTokens.min - 1) + 1;
export const maxBytes = bytesWithin(chunkTokens.max);

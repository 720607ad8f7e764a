import type { BatchSize } from '../service/fieldMemory.ts';

/** Small enough for nearly all services (field reports: 10 to 2,048 are the limits). */
export const firstSize = 32;
/** More at once than this gains nothing, since a few requests run at a time, and each that fails is sent again whole. */
const mostTexts = 128;
/** An answer that takes longer than this, in milliseconds, is no reason to ask for twice as much at once. */
const slowMs = 5000;
/** The search for the largest size ends this close to it: what is left to gain is less than more refusals cost. */
const closeEnough = 1 / 8;

/** How many texts to send next; `isProbe`: more than was ever taken. */
export interface NextSize {
  size: number;
  isProbe: boolean;
}

/**
 * Learns how many texts a service takes in one request: doubles while they are taken, halves when they are refused, then
 * closes in on the size between. Only one request at a time tries a new size, so that a refusal costs one request.
 */
export interface BatchSizes {
  /** The first size was refused and no other taken yet: one request at a time finds out what is. */
  readonly mustGoAlone: boolean;
  /** What was learned; undefined when that is nothing new. */
  readonly learned: BatchSize | undefined;
  next(): NextSize;
  /** @param ms how long the answer took */
  took(count: number, tried: NextSize, ms: number): void;
  refuse(count: number, tried: NextSize): void;
}

export function createBatchSizes(known: BatchSize | undefined): BatchSizes {
  const start = Math.max(1, known?.taken ?? firstSize);
  let size = start;
  let refused = known?.refused ?? mostTexts + 1;
  let isProven = known !== undefined;
  let probing = false;
  let isFast = true;

  function larger(): number {
    if (refused > mostTexts) return Math.min(size * 2, mostTexts);
    return refused - size > size * closeEnough ? Math.floor((size + refused) / 2) : size;
  }

  return {
    get mustGoAlone() {
      return !isProven && refused <= mostTexts;
    },
    get learned() {
      if (!isProven || (size === start && refused === (known?.refused ?? mostTexts + 1))) return undefined;
      return refused > mostTexts ? { taken: size } : { taken: size, refused };
    },
    next() {
      const isProbe = isProven && isFast && !probing && larger() > size;
      probing ||= isProbe;
      return { size: isProbe ? larger() : size, isProbe };
    },
    took(count, { isProbe }, ms) {
      if (isProbe) probing = false;
      isProven = true;
      isFast = ms < slowMs;
      if (count < refused) size = Math.max(size, count);
    },
    refuse(count, { isProbe }) {
      if (isProbe) probing = false;
      refused = Math.min(refused, count);
      if (size >= refused) size = Math.max(1, Math.floor(refused / 2));
    },
  };
}

import type { BatchSize } from '../../service/compat/fieldMemory.ts';

/** First batch size, small enough for nearly all services (field reports: the limits are 10 to 2,048). */
const firstSize = 32;
/** Upper bound: larger batches gain nothing, since a few requests run at a time and a failed one is sent again whole. */
const mostTexts = 128;
/** Milliseconds: after a slower answer the batch size is not doubled. */
const slowMs = 5000;
/** The search for the largest size stops this close to it: further refusals would cost more than is left to gain. */
const closeEnough = 1 / 8;

/** Number of texts to send next; `isProbe`: more than the service has accepted so far. */
export interface NextSize {
  size: number;
  isProbe: boolean;
}

/**
 * Learns the largest batch a service accepts: doubles on success, halves on refusal, then bisects between the two. Only
 * one request at a time tries a new size, so that a refusal costs one request.
 */
export interface BatchSizes {
  /** The first size was refused and no other accepted yet: requests go one at a time until a size is. */
  readonly mustGoAlone: boolean;
  /** The learned size; undefined when it is not new. */
  readonly learned: BatchSize | undefined;
  next(): NextSize;
  /** @param ms duration of the request */
  took(count: number, tried: NextSize, ms: number): void;
  /**
   * A batch was refused. Gives whether that counts: not where so many were taken before, and the error says nothing about size.
   * @param isVague whether it says nothing about size
   */
  refuse(count: number, tried: NextSize, isVague: boolean): boolean;
  /** Whether so many, or more, were taken. */
  hasTaken(count: number): boolean;
  /** Whether so many were refused. */
  isRefused(count: number): boolean;
  /** A refusal of so many was about one of its texts. */
  forgive(count: number): void;
}

/** @param known the size learned in an earlier run */
export function createBatchSizes(known: BatchSize | undefined): BatchSizes {
  const start = Math.max(1, known?.taken ?? firstSize);
  const unrefused = mostTexts + 1;
  const refusals: number[] = known?.refused === undefined ? [] : [known.refused];
  let taken = known?.taken ?? 0;
  let isProven = known !== undefined;
  let probing = false;
  let isFast = true;

  const refusedAt = (): number => Math.min(unrefused, ...refusals);
  function sizeNow(): number {
    const refused = refusedAt();
    const assumed = Math.max(start, taken);
    return assumed < refused ? assumed : Math.max(1, Math.floor(refused / 2), taken < refused ? taken : 0);
  }
  function larger(): number {
    const refused = refusedAt();
    const size = sizeNow();
    if (refused > mostTexts) return Math.min(size * 2, mostTexts);
    return refused - size > size * closeEnough ? Math.floor((size + refused) / 2) : size;
  }

  return {
    get mustGoAlone() {
      return !isProven && refusedAt() <= mostTexts;
    },
    get learned() {
      const refused = refusedAt();
      const size = sizeNow();
      if (!isProven || (size === start && refused === (known?.refused ?? unrefused))) return undefined;
      return refused > mostTexts ? { taken: size } : { taken: size, refused };
    },
    next() {
      const size = sizeNow();
      const isProbe = isProven && isFast && !probing && larger() > size;
      probing ||= isProbe;
      return { size: isProbe ? larger() : size, isProbe };
    },
    took(count, { isProbe }, ms) {
      if (isProbe) probing = false;
      isProven = true;
      isFast = ms < slowMs;
      if (count < refusedAt()) taken = Math.max(taken, count);
    },
    refuse(count, { isProbe }, isVague) {
      if (isProbe) probing = false;
      if (isVague && count <= taken) return false;
      refusals.push(count);
      return true;
    },
    hasTaken: (count) => count <= taken,
    isRefused: (count) => count >= refusedAt(),
    forgive(count) {
      const at = refusals.indexOf(count);
      if (at >= 0) refusals.splice(at, 1);
    },
  };
}

import type { RequestOverride } from '../parameters/requestOverride.ts';

/**
 * The same request so many times, for a service that gives one answer at a time. The first answer is there already: a seed is
 * counted on from its own, since a service answers one seed in the same words.
 */
export function repeated({ model, parameters }: Omit<RequestOverride, 'preset'>, times: number): RequestOverride[] {
  const { n: _, ...kept } = parameters;
  const { seed } = kept;
  return Array.from({ length: times }, (_, index) => {
    const next = typeof seed === 'number' ? { seed: nextSeed(seed, index + 1) } : {};
    return { ...(model !== undefined && { model }), parameters: { ...kept, ...next } };
  });
}

/** Beyond the largest whole number, two seeds would be the same. */
const nextSeed = (seed: number, by: number): number => (seed > Number.MAX_SAFE_INTEGER - by ? seed - by : seed + by);

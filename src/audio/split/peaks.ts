import { ServiceError } from '../../base/errors.ts';
import type { AudioFormat } from '../recording/formats.ts';
import type { Container, OnProgress } from './container.ts';
import { openContainer } from './openContainer.ts';

/** The most values that are given. */
export const mostPeaks = 4_000;
/** Seconds of sound that one value is told from, at least and at most. */
const [leastHeard, heard] = [0.05, 0.5];
/** Decibels under the loudest that are drawn as nothing. */
const drawn = 50;

/**
 * How loud a recording is from start to end, for a picture of it: values from 0 to 1, each for as long a part. Told from the
 * samples where they are plain, else by what packets say of themselves; undefined where they say nothing.
 * @throws ServiceError as `openContainer`
 */
export async function peaksOf(
  path: string,
  format: Pick<AudioFormat, 'name'>,
  count: number,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<number[] | undefined> {
  const container = await openContainer(path, format, signal, onProgress);
  try {
    return await peaksIn(container, count, signal);
  } finally {
    await container.close();
  }
}

/** The same for a recording that is open. */
export async function peaksIn(
  container: Pick<Container, 'start' | 'end' | 'levels'>,
  count: number,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<number[] | undefined> {
  const number = Math.max(1, Math.min(mostPeaks, Math.floor(count)));
  const { start, end } = container;
  const loudest: number[] = [];
  for (let i = 0; i < number; i++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    onProgress?.(i / number);
    const from = start + ((end - start) * i) / number;
    const to = Math.min(end, from + Math.max(leastHeard, Math.min(heard, (end - start) / number)));
    const levels = await container.levels(from, to, signal);
    // A part that is shorter than a packet is as loud as the one before.
    const found = levels?.reduce((most, { decibels }) => Math.max(most, decibels), Number.NEGATIVE_INFINITY);
    loudest.push(found !== undefined && Number.isFinite(found) ? found : (loudest.at(-1) ?? Number.NaN));
  }
  const top = loudest.reduce((most, level) => (level > most ? level : most), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(top)) return undefined;
  const first = loudest.find((level) => !Number.isNaN(level)) ?? top;
  return loudest.map((level) => Math.max(0, 1 + ((Number.isNaN(level) ? first : level) - top) / drawn));
}

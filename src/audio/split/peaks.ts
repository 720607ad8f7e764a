import { ServiceError } from '../../base/errors.ts';
import { audibleFrom, barHeights, loudestShare, partShare, quantile } from '../../webview/shared/soundScale.ts';
import type { AudioFormat } from '../recording/formats.ts';
import type { Container, OnProgress } from './container.ts';
import { openContainer } from './openContainer.ts';

/** The most values that are given. */
export const mostPeaks = 4_000;
/** Seconds of sound that one value is told from, at least and at most. */
const [leastHeard, heard] = [0.05, 0.5];
/** Of the parts that are heard, the share under that which is drawn as the loudest: packets of MP3 are often far off. */
const ofMp3 = 0.97;
/** What is no louder, in decibels, is silence by the lengths of packets. */
const silentByLength = -280;
/** Codecs whose packets say how loud they are by nothing but their length; of a constant one they say nothing. */
const byLength = /^(opus|vorbis)$/;
const leastContrast = 6;

/**
 * How loud a recording is from start to end, for a picture of it: values from 0 to 1, each for as long a part. Told from the
 * samples where they are plain, else by what packets say of themselves; undefined where they say nothing. Silence is 0.
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
  container: Pick<Container, 'codec' | 'start' | 'end' | 'levels'>,
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
    const levels = (await container.levels(from, to, signal))?.map(({ decibels }) => decibels).filter(Number.isFinite);
    // A part that is shorter than a packet is as loud as the one before.
    loudest.push(quantile(levels ?? [], partShare) ?? loudest.at(-1) ?? Number.NaN);
  }
  const known = loudest.filter((level) => !Number.isNaN(level));
  const [first] = known;
  if (first === undefined) return undefined;
  const isByLength = byLength.test(container.codec);
  const silent = isByLength ? silentByLength : audibleFrom;
  const [most = first, least = first] = [ofMp3, 1 - ofMp3].map((share) => quantile(known, share));
  if (isByLength && most - least < leastContrast && known.some((level) => level > silent)) return undefined;
  const all = loudest.map((level) => (Number.isNaN(level) ? first : level));
  return barHeights(all, silent, container.codec === 'mp3' ? ofMp3 : loudestShare);
}

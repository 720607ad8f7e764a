import type { CuttableSound } from './cuttableSound.ts';
import { flacCuts } from './flacCuts.ts';
import { mpegCuts } from './mpegCuts.ts';
import { oggCuts } from './oggCuts.ts';
import { wavCuts } from './wavCuts.ts';

/** The pieces of a sound. */
export interface SoundPieces {
  /** The length of all of them. */
  readonly seconds: number;
  /** The bytes of each piece, as a file of its own. */
  readonly files: Iterable<Uint8Array<ArrayBuffer>>;
}

/** A sound is decoded up to this length, in seconds. */
export const longestDecoded = 3_600;
/**
 * Samples of a piece, of all its channels, about: half a minute in stereo. A browser decodes a file as a whole, at its own rate,
 * and holds that twice: an hour would be almost three gigabytes, a piece is some twenty megabytes.
 */
const samplesOfPiece = 3_000_000;
/** No place to cut is further from the next than that, and no sound has more such places. */
const [mostBetween, mostCuts] = [samplesOfPiece, 1_000_000];
/** What stands before each piece is copied for each; browsers know no lower rates, and no recorder has more channels. */
const [mostHead, leastRate, mostChannels] = [1_048_576, 3_000, 8];
/** A file may hold more than it plays, as far as is known before it is decoded; that is bounded, too. */
const mostHidden = 8;

/**
 * Cuts a recording into pieces that a browser can decode one by one. What comes out of each is counted before: a few bytes of a
 * hostile file may stand for hours.
 * @returns undefined for what is of another kind, broken, or too long
 */
export function cutSound(bytes: Uint8Array): SoundPieces | undefined {
  const sound = wavCuts(bytes) ?? flacCuts(bytes) ?? oggCuts(bytes) ?? mpegCuts(bytes);
  if (sound === undefined || !isUsual(sound)) return undefined;
  const places: number[] = [];
  /** Frames before each place. */
  const before: number[] = [];
  let [frames, played] = [0, 0];
  for (const cut of sound.cuts) {
    places.push(cut.at);
    before.push(frames);
    frames += cut.frames;
    played += cut.played ?? cut.frames;
    const isLong = played > longestDecoded * sound.rate || frames > longestDecoded * sound.rate * mostHidden;
    if (isLong || cut.frames * sound.channels > mostBetween || places.length > mostCuts) return undefined;
  }
  if (frames === 0 || played <= 0) return undefined;
  const count = Math.ceil((frames * sound.channels) / samplesOfPiece);
  return { seconds: played / sound.rate, files: filesOf(bytes, sound.head, bordersOf(places, before, frames / count)) };
}

const isUsual = ({ head, rate, channels }: CuttableSound): boolean =>
  head.length <= mostHead && rate >= leastRate && channels > 0 && channels <= mostChannels;

/** Places so far apart, about: no piece is much shorter than the others, as the end of a file alone might hold no sound. */
function bordersOf(places: readonly number[], before: readonly number[], apart: number): number[] {
  const borders: number[] = [];
  for (const [i, at] of places.entries()) {
    const isLast = i === places.length - 1;
    if (isLast || (before[i] ?? 0) >= borders.length * apart) borders.push(at);
  }
  return borders;
}

function* filesOf(
  bytes: Uint8Array,
  head: Uint8Array,
  borders: readonly number[],
): Generator<Uint8Array<ArrayBuffer>, void> {
  for (const [i, to] of borders.entries()) {
    const from = borders[i - 1];
    if (from === undefined) continue;
    const file = new Uint8Array(head.length + to - from);
    file.set(head);
    file.set(bytes.subarray(from, to), head.length);
    yield file;
  }
}

import { cutSound, longestDecoded } from './cutSound.ts';
import { barsOf, decodedRate, levelsOf } from './soundLevels.ts';

/** Hears recordings, for a picture of them. */
export interface SoundDecoder {
  /**
   * How loud a recording is from start to end, as bars from 0 to 1. Undefined where that cannot be told here, or another recording is asked for.
   * Each is decoded once, and only while the page can be seen.
   * @param seconds how long it is, as the player says: that is no more than a guess where an MP3 does not say it
   */
  bars(src: string, seconds: number): Promise<readonly number[] | undefined>;
}

/** Bytes of a recording: it is held in memory while it is decoded. */
const mostBytes = 64 * 1024 * 1024;
/** Seconds, and the share of all, that what was decoded may differ from what was to come: else bars stand at the wrong times. */
const [amiss, shareAmiss] = [0.5, 0.02];

export function createSoundDecoder(): SoundDecoder {
  let running: { readonly src: string; readonly bars: Promise<readonly number[] | undefined> } | undefined;
  let stop = new AbortController();
  window.addEventListener('pagehide', () => stop.abort());
  return {
    bars(src, seconds) {
      if (running?.src === src) return running.bars;
      stop.abort();
      stop = new AbortController();
      // A picture is all that is missing where it fails; that of packets stays.
      const bars = decode(src, seconds, stop.signal).catch(() => undefined);
      running = { src, bars };
      return bars;
    },
  };
}

async function decode(src: string, seconds: number, signal: AbortSignal): Promise<readonly number[] | undefined> {
  if (!(seconds <= longestDecoded)) return undefined;
  await untilSeen(signal);
  const bytes = await load(src, signal);
  const sound = bytes && cutSound(bytes);
  if (sound === undefined) return undefined;
  const context = new OfflineAudioContext(1, 1, decodedRate);
  const levels: number[] = [];
  let decoded = 0;
  for (const file of sound.files) {
    await untilSeen(signal);
    const samples = await context.decodeAudioData(file.buffer);
    decoded += samples.duration;
    const channels = Array.from({ length: samples.numberOfChannels }, (_, i) => samples.getChannelData(i));
    for (const level of levelsOf(channels)) levels.push(level);
  }
  if (signal.aborted || Math.abs(decoded - sound.seconds) > amiss + shareAmiss * sound.seconds) return undefined;
  return barsOf(levels);
}

/** The bytes of a recording; undefined where there are too many. */
async function load(src: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const response = await fetch(src, { signal });
  const reader = response.ok ? response.body?.getReader() : undefined;
  if (reader === undefined) return undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const isTooLong = (length: number): boolean => length > mostBytes;
  let length = Number(response.headers.get('content-length') ?? 0);
  if (isTooLong(length)) return void (await reader.cancel());
  length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (isTooLong(length)) return void (await reader.cancel());
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Waits while the page is hidden. @throws where the signal fires, also while it waits */
async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        document.removeEventListener('visibilitychange', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      document.addEventListener('visibilitychange', done);
      signal.addEventListener('abort', done);
    });
  }
  signal.throwIfAborted();
}

/** How loud recordings are, as their pages have decoded them: VS Code throws a page away while it is hidden. */
export interface DecodedSounds {
  get(sound: string): readonly number[] | undefined;
  add(sound: string, bars: readonly number[]): void;
}

/** Recordings that are kept, the newest of all. */
const most = 50;

export function createDecodedSounds(): DecodedSounds {
  const kept = new Map<string, readonly number[]>();
  return {
    get: (sound) => kept.get(sound),
    add(sound, bars) {
      kept.delete(sound);
      kept.set(sound, bars);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    },
  };
}

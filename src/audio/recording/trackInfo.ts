/** One of several tracks of sound in a recording, as its file describes it. */
export interface TrackInfo {
  /** Its place among the tracks of sound, from 1. */
  readonly number: number;
  /** The codec, as in `Container`, or the name that the file has for another one. */
  readonly codec: string;
  /** ISO 639-2 or BCP 47; absent where the file does not say it. */
  readonly language?: string;
  readonly title?: string;
  /** Length in seconds, where the file says it without being read. */
  readonly seconds?: number;
  /** Whether the file names it as the one to play. */
  readonly isDefault: boolean;
  /** Whether it talks about the sound of another: a commentary, a description for the blind. */
  readonly isAside: boolean;
  /** Whether nothing was heard at any place that was looked at. */
  readonly isSilent: boolean;
  /** Whether it can be put into a file that services take. */
  readonly canCopy: boolean;
}

/** The tracks that somebody may want translated: those that can be heard and copied; where there is none, those that can be copied. */
export function meantTracks<T extends TrackInfo>(tracks: readonly T[]): readonly T[] {
  const copied = tracks.filter(({ canCopy }) => canCopy);
  return orAll(copied, ({ isSilent }) => !isSilent);
}

/**
 * The track that is translated where nobody chose one: of those that can be heard the one that the file names as its own, else the
 * first in a language of the user's, else the first.
 * @param languages of the user, the nearest first
 */
export function preferredTrack<T extends TrackInfo>(tracks: readonly T[], languages: readonly string[]): T | undefined {
  const told = orAll(
    orAll(meantTracks(tracks), ({ isAside }) => !isAside),
    ({ isDefault }) => isDefault,
  );
  for (const wanted of languages) {
    const found = told.find(({ language }) => language !== undefined && baseOf(language) === baseOf(wanted));
    if (found !== undefined) return found;
  }
  return told[0];
}

function orAll<T>(all: readonly T[], isWanted: (each: T) => boolean): readonly T[] {
  const wanted = all.filter(isWanted);
  return wanted.length > 0 ? wanted : all;
}

/** `de` of `deu`, `ger` and `de-AT`. */
function baseOf(language: string): string {
  try {
    return new Intl.Locale(language).language;
  } catch {
    return language.toLowerCase();
  }
}

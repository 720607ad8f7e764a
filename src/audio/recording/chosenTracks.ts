import type { Recording } from './recording.ts';

/** Which of several tracks the user chose for recordings, each in the state it was in. */
export interface ChosenTracks {
  get(recording: Recording): number | undefined;
  choose(recording: Recording, track: number): void;
}

/** Choices that are kept; those made first are forgotten. */
const mostKept = 1_000;

export function createChosenTracks(): ChosenTracks {
  const chosen = new Map<string, number>();
  const keyOf = ({ path, stamp }: Recording): string => `${stamp} ${path}`;
  return {
    get: (recording) => chosen.get(keyOf(recording)),
    choose(recording, track) {
      const key = keyOf(recording);
      chosen.delete(key);
      chosen.set(key, track);
      for (const first of chosen.keys()) {
        if (chosen.size <= mostKept) break;
        chosen.delete(first);
      }
    },
  };
}

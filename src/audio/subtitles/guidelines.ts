/**
 * How much text a subtitle holds, and how long it stands. From Netflix' Timed Text Style Guide (general requirements; English
 * template; timing), which most others follow or come close to: https://partnerhelp.netflixstudios.com/hc/en-us/articles/215758617.
 */
export const guidelines = {
  charactersPerLine: 42,
  /** The most lines of a cue; the code that splits text counts on two. */
  linesPerCue: 2,
  /** The speed that all can read. BBC's 160 to 180 words a minute are about the same. */
  charactersPerSecond: 17,
  /** Five sixths of a second. */
  shortestMs: 834,
  longestMs: 7000,
  /** Two frames between cues, so that a change is seen; at 24 frames a second, as a recording has none. */
  gapMs: 84,
  /** Twelve frames: as long a cue may stand after its last word, to be read. */
  lingerMs: 500,
  /** How much later than its words a cue may begin: then those who listen take it for another sentence's. Our own. */
  latestMs: 1000,
  /** Where words come faster than cues can follow, these stand at least so long, to be seen at all. Our own. */
  briefestMs: 100,
} as const;

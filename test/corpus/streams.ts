import { brokenStreams } from './brokenStreams.ts';
import type { CorpusCase } from './case.ts';
import { soundStreams } from './soundStreams.ts';
import { repeatedStreams, thoughtStreams } from './thoughtStreams.ts';

/** Streams in all forms that services were seen to use, sound and broken. */
export const streamCases: readonly CorpusCase[] = [
  ...soundStreams,
  ...thoughtStreams,
  ...repeatedStreams,
  ...brokenStreams,
];

import { type EncodingSetting, encodingOf } from './decode.ts';

type Encodings = readonly [before: string | undefined, after: string | undefined];

/**
 * The encodings of two versions of a file; undefined: not text. One may be UTF-8 and the other not, but not two others: what only a guess
 * says is told from both together, as a few lines may say too little.
 */
export function versionEncodings(before: Uint8Array, after: Uint8Array, setting: EncodingSetting): Encodings {
  const [old, now] = [encodingOf(before, setting), encodingOf(after, setting)];
  if (old === now || !isGuessed(old) || !isGuessed(now)) return [old, now];
  const both = encodingOf(Buffer.concat([after, Buffer.from('\n'), before]), setting);
  return isGuessed(both) ? [both, both] : [old, now];
}

const isGuessed = (encoding: string | undefined): boolean => encoding !== undefined && !encoding.startsWith('utf-');

import type { Container } from '../../container.ts';
import { skipTags } from '../../frames/readFrames.ts';
import type { SourceFile } from '../../sourceFile.ts';
import { isEmpty, isShortText, leastRest } from './leftovers.ts';

/** An MP3 whose frames, all of one kind, follow one another from its start to its end, but for a short tag before them. */
export async function isMp3Alone(file: SourceFile, sound: Container | undefined): Promise<boolean> {
  const from = await skipTags(file);
  return isFilled(sound) && (from === 0 || (await isShortText(file, 0, from)));
}

/** A FLAC of which nothing but its sound, a table to seek by and the name of its writer is there. */
export async function isFlacAlone(file: SourceFile, sound: Container | undefined): Promise<boolean> {
  let at = 4;
  for (let isLast = false; !isLast; ) {
    const head = await file.read(at, 4);
    if (head.length < 4) return false;
    const [first, length] = [head.readUInt8(0), head.readUIntBE(1, 3)];
    isLast = first >= 0x80;
    if (!(await isHarmless(file, first & 0x7f, at + 4, length))) return false;
    at += 4 + length;
  }
  return (await file.read(0, 4)).toString('latin1') === 'fLaC' && isFilled(sound);
}

/** A block of metadata (RFC 9639, 8.1): what the sound is, room, a table to seek by, a comment. */
async function isHarmless(file: SourceFile, type: number, at: number, length: number): Promise<boolean> {
  if (type === 0) return length === 34;
  if (type === 1) return isEmpty(file, at, length);
  if (type === 3) return length % 18 === 0;
  return type === 4 && isShortText(file, at, length);
}

/** Whether a file has frames of one kind, and nothing between them and behind them. */
const isFilled = (sound: Container | undefined): boolean =>
  sound?.parts === undefined && sound?.gap !== undefined && sound.gap < leastRest;

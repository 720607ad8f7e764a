import type { AudioFormat } from '../../../recording/formats.ts';
import type { Container } from '../../container.ts';
import type { SourceFile } from '../../sourceFile.ts';
import { isFlacAlone, isMp3Alone } from './framesAlone.ts';
import { isMp4Alone } from './mp4Alone.ts';
import { isOggAlone } from './oggAlone.ts';
import { isWavAlone } from './wavAlone.ts';

const checks: Partial<
  Record<AudioFormat['name'], (file: SourceFile, sound: Container | undefined) => Promise<boolean>>
> = {
  wav: isWavAlone,
  mp3: isMp3Alone,
  flac: isFlacAlone,
  mp4: isMp4Alone,
  ogg: isOggAlone,
};

/**
 * Whether a file is known to hold one sound and nothing else: no pictures, no cover, no second track, no long texts, nothing behind
 * its end. All of the file is accounted for; what is not known to be sound makes it false, as does a format that nobody looks into.
 * Whether a decoder can make sense of the sound is another question.
 * @param sound of the file, where it could be opened: of frames it has counted what is none of them
 * @throws ServiceError `cancelled`, `file-missing`
 */
export async function isSoundAlone(
  file: SourceFile,
  { name }: Pick<AudioFormat, 'name'>,
  sound: Container | undefined,
): Promise<boolean> {
  return (await checks[name]?.(file, sound)) ?? false;
}

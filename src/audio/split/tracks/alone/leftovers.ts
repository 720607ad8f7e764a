import type { SourceFile } from '../../sourceFile.ts';

/** Bytes behind the end that are too few for anything: the smallest picture has more. */
export const leastRest = 16;
/** The most bytes of a description: the name of the program that wrote the file, and little else. */
const longestDescription = 512;
/** The most bytes of a gap that are looked at. */
const longestGap = 64 * 1024;

/** Whether a part of a file is empty, as room that was left for later is. */
export async function isEmpty(file: SourceFile, at: number, length: number): Promise<boolean> {
  if (length < leastRest) return true;
  return length <= longestGap && (await file.read(at, length)).every((byte) => byte === 0);
}

/** Whether a part of a file is a short text about it, and holds no picture. */
export async function isShortText(file: SourceFile, at: number, length: number): Promise<boolean> {
  if (length > longestDescription) return false;
  const text = (await file.read(at, length)).toString('latin1');
  return !/covr|PIC|COVERART|\xff\xd8\xff|\x89PNG|GIF8|WEBP|<svg/i.test(text);
}

import { readOggPage } from '../../packets/oggPages.ts';
import type { SourceFile } from '../../sourceFile.ts';
import { isShortText, leastRest } from './leftovers.ts';

/** Bytes that are read in one go; the longest page has 65,307. */
const blockSize = 256 * 1024;

/** An Ogg of one stream, page after page to its end, whose comment is short. */
export async function isOggAlone(file: SourceFile): Promise<boolean> {
  let [at, pages] = [0, 0];
  let serial: number | undefined;
  while (file.size - at >= leastRest) {
    const block = await file.read(at, blockSize);
    let place = 0;
    for (let page = readOggPage(block, 0); page !== undefined; page = readOggPage(block, place)) {
      serial ??= page.serial;
      if (page.serial !== serial || page.isFirst !== (pages === 0)) return false;
      // The second packet is the comment; it begins with the second page.
      if (pages === 0 && page.codec === undefined) return false;
      if (pages === 1 && !(await isShortText(file, at + place + page.headLength, page.firstPacket))) return false;
      pages += 1;
      place += page.length;
    }
    if (place === 0) return false;
    at += place;
  }
  return pages > 2;
}

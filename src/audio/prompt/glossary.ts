import { open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from '../../base/encoding/decode.ts';
import { splitLines } from '../../base/lines.ts';
import { isInside } from '../../base/paths.ts';

/** The workspace's file of names and terms that a translation is to spell as they are, from the workspace's folder. */
export const glossaryFile = ['.parley', 'glossary.txt'] as const;

/** Characters of the file that are looked at. A prompt holds some dozens of terms. */
const longestGlossary = 64 * 1024;
const mostTerms = 1_000;
const longestTerm = 100;

/**
 * Reads a glossary: a term on each line, each once, in the order of the file. Blank lines are passed over, and so are those that begin
 * with `#`, and those that are too long for a term.
 */
export function parseGlossary(text: string): string[] {
  const lines = splitLines(text.slice(0, longestGlossary).replace(/^\uFEFF/, ''));
  // The last line may go on in what was not looked at.
  if (text.length > longestGlossary) lines.pop();
  const terms = lines
    .filter((line) => !/^\s*#/.test(line))
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    .filter((term) => term !== '' && term.length <= longestTerm);
  return [...new Set(terms)].slice(0, mostTerms);
}

/**
 * The folder of a workspace whose terms go with a recording: that which it is in, the innermost one; the only one, where it is in
 * none. Of several, the terms of one are no business of what is elsewhere.
 * @param folders of the workspace on the disk
 */
export function glossaryFolderOf(path: string, folders: readonly string[]): string | undefined {
  const [own] = folders.filter((folder) => isInside(folder, path)).sort((a, b) => b.length - a.length);
  return own ?? (folders.length === 1 ? folders[0] : undefined);
}

/**
 * The glossary of a workspace's folder; empty where it has none that can be read. One that a link leads to outside the folder is none: the
 * folder may be anybody's, and what is in the file is sent.
 */
export async function readGlossary(folder: string): Promise<string[]> {
  try {
    const path = await realpath(join(folder, ...glossaryFile));
    if (!isInside(await realpath(folder), path)) return [];
    // The type is checked first: opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) return [];
    const file = await open(path);
    try {
      // A character takes four bytes at most.
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * longestGlossary + 4), 0);
      return parseGlossary(decode(buffer.subarray(0, bytesRead)) ?? '');
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

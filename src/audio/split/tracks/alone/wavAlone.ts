import type { SourceFile } from '../../sourceFile.ts';
import { isEmpty, isShortText, leastRest } from './leftovers.ts';

/** Chunks that say what the samples are. */
const known: ReadonlySet<string> = new Set(['fmt ', 'fact', 'PEAK', 'ds64', 'cue ']);
/** Bytes of such a chunk, at most. */
const longestKnown = 1_024;
const mostChunks = 100;

/** Goes through the chunks of a WAV or RF64 to the end of the file. */
export async function isWavAlone(file: SourceFile): Promise<boolean> {
  let at = 12;
  let hasData = false;
  for (let i = 0; i < mostChunks && at + 8 <= file.size; i++) {
    if (hasData && file.size - at < leastRest) return true;
    const head = await file.read(at, 8);
    const name = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const rest = file.size - at - 8;
    if (name === 'data') {
      if (hasData) return false;
      hasData = true;
      // A writer that could not seek left it at 0 or all ones: the samples go on to the end.
      if (length === 0 || length >= rest) return true;
    } else if (length > rest || !(await isHarmless(file, name, at + 8, length))) return false;
    at += 8 + length + (length % 2);
  }
  return hasData && file.size - at < leastRest;
}

async function isHarmless(file: SourceFile, name: string, at: number, length: number): Promise<boolean> {
  if (known.has(name)) return length <= longestKnown;
  if (/^(JUNK|junk|PAD |FLLR)$/.test(name)) return isEmpty(file, at, length);
  return name === 'LIST' && isShortText(file, at, length);
}

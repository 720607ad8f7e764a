import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChosenTracks } from '../recording/chosenTracks.ts';
import { openRecording } from '../recording/recording.ts';
import type { OnProgress } from './container.ts';
import type { Splitter } from './splitter.ts';
import type { Sound } from './thread/splitMethods.ts';

/** The sound of a recording in a file of another kind, which editors of VS Code are more likely to play. */
export interface CopiedSound {
  readonly path: string;
  /** MIME type for the player. */
  readonly contentType: string;
}

/** The copy of one recording, which is made when it is asked for first. */
export interface PlayableCopy {
  /** Undefined where there can be none. */
  get(onProgress: OnProgress): Promise<CopiedSound | undefined>;
  /** Removes the copy, also one that is being made. */
  dispose(): void;
}

/** A copy has no more bytes: some three hours of uncompressed sound. */
const mostBytes = 2 * 1024 ** 3;
/** A copy that is older, in milliseconds, was left by a window that ended at once. */
const oldest = 24 * 3_600_000;

/**
 * Copies the sound of a recording out of a container that no browser opens: AIFF, QuickTime, Matroska. There is no copy where that
 * does not help, as for AAC, which VS Code has no decoder for.
 * @param target of the copy, without its ending
 */
export function createPlayableCopy(
  path: string,
  target: string,
  { splitter, tracks }: { readonly splitter: Splitter; readonly tracks?: Pick<ChosenTracks, 'get'> },
): PlayableCopy {
  const ending = new AbortController();
  let copy: Promise<CopiedSound | undefined> | undefined;

  async function make(onProgress: OnProgress): Promise<CopiedSound | undefined> {
    const file = await openRecording(path);
    await file.close();
    const { format } = file.recording;
    const track = tracks?.get(file.recording);
    const opened = splitter.of(path, format, { asSamples: true, track });
    try {
      const { signal } = ending;
      const sound = await opened.open({ signal });
      // A copy of one track is another sound than the file, whatever it is in.
      if (!isHelpful(sound, track === undefined ? format.name : undefined)) return undefined;
      const span = { from: sound.start, to: sound.end };
      return await opened.write(span, `${target}.${sound.form.extension}`, { signal, onProgress });
    } finally {
      await opened.close();
    }
  }

  return {
    get(onProgress) {
      // A recording that cannot be read, a full disk: it is not played, then.
      copy ??= make(onProgress).catch(() => undefined);
      return copy;
    },
    dispose() {
      ending.abort();
      void copy?.then((made) => made && rm(made.path, { force: true }).catch(() => undefined));
    },
  };
}

function isHelpful({ form, bytes, parts }: Sound, from: string | undefined): boolean {
  return parts === 1 && form.extension !== 'm4a' && form.extension !== from && bytes <= mostBytes;
}

/** Removes the copies that a window left which could not remove them itself. */
export async function removeOldCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > oldest)
      await rm(path, { force: true }).catch(() => undefined);
  }
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, l10n, Uri, type Webview, workspace } from 'vscode';
import type { ToTranscriptPanel, TranscriptState } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import type { ChosenTracks } from '../../../recording/chosenTracks.ts';
import { openRecording } from '../../../recording/recording.ts';
import { createPlayableCopy } from '../../../split/playableCopy.ts';
import type { Splitter } from '../../../split/splitter.ts';
import type { DecodedSounds } from './decodedSounds.ts';
import { findPeaks } from './findPeaks.ts';

/** What a page can play: an address, and how loud it is where a page has decoded it; or the sentence that says why there is none. */
export type Playable =
  | { readonly src: string; readonly type?: string; readonly bars?: readonly number[] }
  | { readonly noPlayer: string };

/** The player of a page, as the host has a part in it: the recording, a copy of it, the picture of its sound. */
export interface PagePlayer extends Disposable {
  find(): Promise<Playable>;
  /** The picture of the sound comes after the page: a long recording is read whole for it. None is needed where a page has decoded it. */
  sendPeaks(): Promise<void>;
  /** Keeps what the page has decoded, for the next page. */
  decoded(bars: readonly number[]): void;
  /** Makes a copy of a recording that the page cannot play. */
  offerCopy(): Promise<void>;
  /** Takes in that it is to be played from a time on, in seconds. */
  want(seconds: number): void;
  /** Tells the page so, until it says that it was told: one that is moved to another group is loaded anew. */
  playWanted(): void;
  forgetWanted(): void;
}

/** A type that no browser plays. */
const noType = 'audio/x-other-track';

/** Copies that were asked for, so that each has a name of its own. */
let copies = 0;

export function createPagePlayer(
  webview: Webview,
  { path, sha256 }: TranscriptState,
  parts: {
    readonly splitter: Splitter;
    readonly tracks: Pick<ChosenTracks, 'get'>;
    readonly copies: Uri;
    readonly sounds: DecodedSounds;
  },
  send: (message: ToTranscriptPanel) => unknown,
): PagePlayer {
  let playFrom: number | undefined;
  let peaks: Promise<readonly number[] | undefined> | undefined;
  /** The sound that the page was told of last. */
  let sound = '';
  const reading = new AbortController();
  const target = join(parts.copies.fsPath, `${sha256.slice(0, 16)}-${process.pid}-${++copies}`);
  const copy = createPlayableCopy(path, target, parts);

  async function hasChosenTrack(): Promise<boolean> {
    const file = await openRecording(path).catch(() => undefined);
    await file?.close();
    return file !== undefined && parts.tracks.get(file.recording) !== undefined;
  }

  return {
    /** A decoder is no place for a file that is not trusted, and the file may be gone by now. */
    async find() {
      if (!workspace.isTrusted) return { noPlayer: l10n.t('Recordings are not played in Restricted Mode.') };
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) return { noPlayer: l10n.t('The recording is no longer at its place.') };
      // The query makes a changed recording a new address, for the cache of webviews.
      const uri = Uri.file(path).with({ query: `changed=${Math.floor(stats.mtimeMs)}` });
      const src = String(webview.asWebviewUri(uri));
      // A browser plays the first track of a file: of another one, the page asks for a copy.
      const playable = (await hasChosenTrack()) ? { src, type: noType } : { src };
      sound = `${src} ${playable.type ?? ''}`;
      const bars = parts.sounds.get(sound);
      return bars === undefined ? playable : { ...playable, bars };
    },
    async sendPeaks() {
      if (parts.sounds.get(sound) !== undefined) return;
      peaks ??= findPeaks(path, parts, reading.signal);
      const found = await peaks;
      if (found !== undefined) send({ type: 'peaks', peaks: found });
    },
    decoded: (bars) => parts.sounds.add(sound, bars),
    async offerCopy() {
      if (!workspace.isTrusted) return;
      const made = await copy.get((share) => send({ type: 'preparing', share }));
      send({
        type: 'playable',
        player: made && { src: String(webview.asWebviewUri(Uri.file(made.path))), type: made.contentType },
      });
    },
    want(seconds) {
      playFrom = seconds;
    },
    playWanted() {
      if (playFrom !== undefined) send({ type: 'play', seconds: playFrom });
    },
    forgetWanted() {
      playFrom = undefined;
    },
    dispose() {
      reading.abort();
      copy.dispose();
    },
  };
}

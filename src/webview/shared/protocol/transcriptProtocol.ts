/** The messages between the page of a transcript and the extension, under the rules of `protocol.ts`. */

import type { Strings } from './protocol.ts';

/** A piece of a transcript with its place in the recording. */
export interface SegmentView {
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  /** `start` as a person reads it. */
  readonly time: string;
  readonly text: string;
  /** The text as it was translated, where somebody has edited it. */
  readonly original?: string | undefined;
  /** What the other text of the recording says at its time. */
  readonly beside?: string | undefined;
  /** Its words that have times. */
  readonly words?: readonly WordView[] | undefined;
  /** Who speaks. */
  readonly speaker?: string | undefined;
}

/** A word of a segment: its place in the text and its length, in characters, and when it is heard, in seconds. */
export type WordView = readonly [at: number, length: number, start: number, end: number];

/** A segment that is worth checking, and one sentence that says why. */
export interface CheckView {
  /** The number of the segment, from 0. */
  readonly segment: number;
  readonly reason: string;
  /** It was ticked off, or has another text by now. */
  readonly isSettled?: true | undefined;
}

/** The recording as the page may play it. */
export interface PlayerView {
  readonly src: string;
  /** MIME type with codecs, for `canPlayType`. */
  readonly type: string;
}

/** Where somebody listens and reads. */
export interface TranscriptPlace {
  /** The place of the player, in seconds. */
  readonly seconds: number;
  readonly speed: number;
  readonly isFollowing: boolean;
  /** The number of the first segment in sight, from 0. */
  readonly line: number;
}

/** An edit of a line. */
export interface TranscriptEdit {
  /** Its number, from 0, when it was edited. */
  readonly line: number;
  /** Its start, in seconds. */
  readonly start: number;
  /** Its text before, and after. */
  readonly before: string;
  readonly after: string;
  /** The line was ticked off, or is to be checked again; its text is the same. */
  readonly isChecked?: boolean | undefined;
  /** It is taken back together with the one before. */
  readonly isJoined?: true | undefined;
}

/** Edits that can be taken back, and those that can be made again; a hundred each at most, the newest last. */
export interface KeptEdits {
  readonly done: readonly TranscriptEdit[];
  readonly undone: readonly TranscriptEdit[];
}

/** The text that a segment has now. */
export interface ChangedSegment {
  readonly segment: number;
  readonly text: string;
}

/** State that the page keeps, so that the panel comes back after a reload, where it was, and with the edits that were made. */
export interface TranscriptState {
  readonly sha256: string;
  readonly path: string;
  /** Present for the text in the language that is spoken. */
  readonly task?: 'transcribe' | undefined;
  /** Whether the other text of the recording is shown beside this one. */
  readonly isBeside?: boolean | undefined;
  /** Which translation of the recording it is; edits that are kept are of this one. */
  readonly version?: string | undefined;
  readonly place?: TranscriptPlace | undefined;
  readonly edits?: KeptEdits | undefined;
}

export interface TranscriptView {
  readonly state: TranscriptState;
  readonly fileName: string;
  /** Length, size, model and date in one line. */
  readonly about: string;
  /** A note on the text: the service did not translate it. */
  readonly note?: string | undefined;
  /** Absent where there is nothing to play; `noPlayer` then says why. */
  readonly player?: PlayerView | undefined;
  readonly noPlayer?: string | undefined;
  /** How loud the recording is, from 0 to 1, in parts of the same length, as a page has decoded it; absent where none has. */
  readonly peaks?: readonly number[] | undefined;
  readonly text: string;
  /** The language of the text as a code, where it is known. */
  readonly language?: string | undefined;
  /** The other text of the recording, where both have times: its language, in words and as a code. */
  readonly beside?: { readonly name: string; readonly language?: string | undefined } | undefined;
  /** Empty when the service gave no times, in what older versions kept. */
  readonly segments: readonly SegmentView[];
  /** The segments are pieces of the recording, of which nothing is said but when they begin; a text may have paragraphs. */
  readonly areBlocks?: true | undefined;
  readonly checks?: readonly CheckView[] | undefined;
  /** How many translations of the recording are kept, this one among them. */
  readonly versions?: number | undefined;
}

export type ToTranscriptPanel =
  | { readonly type: 'show'; readonly strings: Strings; readonly transcript: TranscriptView }
  /** There is nothing to show; the sentence says why. */
  | { readonly type: 'fail'; readonly strings: Strings; readonly fileName: string; readonly sentence: string }
  /** How loud the recording is by what its packets say, found after the page was shown. */
  | { readonly type: 'peaks'; readonly peaks: readonly number[] }
  /** Segments have other texts now: the answer to each `edit`, and what is told of an edit elsewhere. */
  | { readonly type: 'changed'; readonly lines: readonly ChangedSegment[] }
  /** All places worth checking, as they are now: the answer to each `tick`, and what is told of an edit. */
  | { readonly type: 'checks'; readonly checks: readonly CheckView[] }
  /** Who speaks in each segment now; an empty text for nobody who has a name. */
  | { readonly type: 'speakers'; readonly speakers: readonly string[] }
  /** A copy that may be played is being made, after `cannotPlay`. `share`: how much of it is there, from 0 to 1. */
  | { readonly type: 'preparing'; readonly share: number }
  /** The copy; without a player there is none. */
  | { readonly type: 'playable'; readonly player?: PlayerView | undefined }
  /** The recording is to be heard from here on. */
  | { readonly type: 'play'; readonly seconds: number }
  /** This segment is to be shown. */
  | { readonly type: 'goTo'; readonly segment: number }
  /** The text is in the clipboard. */
  | { readonly type: 'copied' };

/**
 * Another text of a segment. An empty one is no line of the transcript any more. The start in seconds, and the text before, are those
 * that the page shows: the segment may have another number by now.
 */
export interface LineEditRequest {
  readonly segment: number;
  readonly start: number;
  readonly before: string;
  readonly text: string;
}

/** The most edits that are made at once. */
export const mostEditsAtOnce = 20_000;

export type FromTranscriptPanel =
  | { readonly type: 'ready' }
  /** Copies the text: in paragraphs unless it is to be with the times. */
  | { readonly type: 'copy'; readonly as?: 'paragraphs' | 'times' | undefined }
  | { readonly type: 'edit'; readonly edits: readonly LineEditRequest[] }
  /** Ticks a segment off, or on again; start and text are those that the page shows. */
  | {
      readonly type: 'tick';
      readonly segment: number;
      readonly start: number;
      readonly before: string;
      readonly isChecked: boolean;
    }
  /** Asks for the name of who speaks in a segment; start and text are those that the page shows. */
  | { readonly type: 'speaker'; readonly segment: number; readonly start: number; readonly before: string }
  /** The recording has come to this segment. */
  | { readonly type: 'heard'; readonly segment: number }
  /** The browser does not play the recording as it is. */
  | { readonly type: 'cannotPlay' }
  /** How loud the recording is, from 0 to 1, in parts of the same length: the page has decoded it. */
  | { readonly type: 'decoded'; readonly bars: readonly number[] }
  /** The page was told to play. */
  | { readonly type: 'playing' }
  /** Asks for a place and a format, and writes the transcript there. */
  | { readonly type: 'export' }
  /** Opens the recording outside of the page, where that is possible. */
  | { readonly type: 'openRecording' }
  /** Translates the recording once more, in another way. */
  | { readonly type: 'translateAgain' }
  /** Lets the user pick another translation of the recording. */
  | { readonly type: 'versions' }
  /** Translates the recording of a failed page. */
  | { readonly type: 'translate' }
  /** Opens the setting that tells a service to translate. */
  | { readonly type: 'openExtraFields' };

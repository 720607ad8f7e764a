import { ServiceError } from '../../../base/errors.ts';
import type { CallContext, Methods } from '../../../base/rpc.ts';
import type { AudioFormat } from '../../recording/formats.ts';
import type { TrackInfo } from '../../recording/trackInfo.ts';
import type { Container, OnProgress } from '../container.ts';
import { openContainer, type SoundWish } from '../openContainer.ts';
import { peaksIn } from '../peaks.ts';
import type { PieceForm } from '../pieceForms.ts';
import { type AudioPiece, type PlanOptions, planPieces } from '../plan/planPieces.ts';
import { openSource } from '../sourceFile.ts';
import { isSoundAlone } from '../tracks/alone/isSoundAlone.ts';

import type { Span } from '../write/pieceFile.ts';
import { type WrittenPiece, writePiece } from '../write/writePiece.ts';

/** What there is to know of the sound of a recording. */
export interface Sound {
  /** The codec, as `mp3`, `aac`, `opus`, `pcm-s16`. */
  codec: string;
  channels: number;
  /** Samples a second. */
  sampleRate: number;
  hasPictures: boolean;
  /** Start of the first packet and end of the last, in seconds. The first may lie before 0. */
  start: number;
  end: number;
  /** Bytes of its packets, without pictures and all else. */
  bytes: number;
  /** What a piece is written as. */
  form: PieceForm;
  /** Whether what is sent is encoded for that, without loss, and of half the bytes at most. */
  isEncoded: boolean;
  /** Sounds of several kinds one after another, which no file can hold together. */
  parts: number;
  /** The tracks of sound, where there are several, and the number of the one that this is. */
  tracks?: readonly TrackInfo[] | undefined;
  track?: number | undefined;
  missing: MissingSound;
}

/** What of a recording cannot be had. */
export interface MissingSound {
  /** The end that the file promises, where it is cut off before it. */
  promised?: number | undefined;
  /** Bytes behind the end that nobody can make sense of. */
  rest?: number | undefined;
  /** Where the sound ends that there is. */
  end: number;
}

/** The recording that a thread works on, until it is told to close it. */
export interface ThreadRecording extends SoundWish {
  path: string;
  format: Pick<AudioFormat, 'name'>;
}

/** What a look through the whole file shows. */
export interface Look {
  /** Whether the file holds one sound that can be read, and nothing else. */
  isAlone: boolean;
  /** Absent where the service alone can read the sound. */
  missing?: MissingSound;
  /** Its length in seconds, and what `Sound` says of how it is sent; absent as `missing`. */
  seconds?: number;
  isEncoded?: boolean;
}

/** Shares of the work that is done are told on the way. */
export interface SplitMethods extends Methods {
  open: { params: ThreadRecording; event: number; result: Sound };
  look: { params: ThreadRecording; event: number; result: Look };
  plan: { params: ThreadRecording & Pick<PlanOptions, 'mostBytes' | 'part'>; event: number; result: AudioPiece[] };
  write: {
    params: ThreadRecording & { span: Span; target: string; mostBytes?: number | undefined };
    event: number;
    result: WrittenPiece;
  };
  peaks: { params: ThreadRecording & { count: number }; event: number; result: number[] | undefined };
  close: { params: undefined; result: undefined };
}

/** The least time between two reports, in milliseconds. */
const reportedEvery = 100;

/** Reports that are made for each packet, as often as somebody can read them. */
function paced(emit: OnProgress): OnProgress {
  let last = 0;
  return (share) => {
    const now = performance.now();
    if (now - last < reportedEvery) return;
    last = now;
    emit(share);
  };
}

const missingOf = ({ end, promised, rest }: Container): MissingSound => ({ end, promised, rest });

const isEncodedOf = ({ form }: Container): boolean => form.isEncoded === true;

async function isAloneAt({ path, format }: ThreadRecording, sound: Container | undefined): Promise<boolean> {
  const { signal } = new AbortController();
  const file = await openSource(path, signal);
  try {
    return await isSoundAlone(file, format, sound);
  } finally {
    await file.close();
  }
}

type Handle<K extends 'open' | 'look' | 'plan' | 'write' | 'peaks'> = (
  params: SplitMethods[K]['params'],
  context: CallContext,
) => Promise<SplitMethods[K]['result']>;

/** The methods of a thread. The first that is called for a recording opens it. */
export function createSplitMethods() {
  let opened: Promise<Container> | undefined;
  const container = ({ path, format, ...wish }: ThreadRecording, { emit }: CallContext): Promise<Container> =>
    // The thread ends with the call that is stopped, so that reading need not be stopped apart.
    (opened ??= openContainer(path, format, new AbortController().signal, paced(emit), wish));

  const open: Handle<'open'> = async (recording, context) => {
    const opened = await container(recording, context);
    const { codec, channels, sampleRate, hasPictures, tracks, track, start, end, form, byteCount, parts } = opened;
    const bytes = byteCount(start, end);
    const sound = { codec, channels, sampleRate, hasPictures, start, end, bytes, form, tracks, track };
    const isEncoded = isEncodedOf(opened);
    return { ...sound, isEncoded, parts: parts?.length ?? 1, missing: missingOf(opened) };
  };
  const look: Handle<'look'> = async (recording, context) => {
    try {
      const sound = await container(recording, context);
      const isAlone = await isAloneAt(recording, sound);
      return { isAlone, missing: missingOf(sound), seconds: sound.end - sound.start, isEncoded: isEncodedOf(sound) };
    } catch (error) {
      // A codec that we cannot copy: the service is to say whether it takes it.
      const codec = error instanceof ServiceError && error.kind === 'not-audio' ? error.param : undefined;
      if (codec === undefined || /^(none|cut)$/.test(codec) || !(await isAloneAt(recording, undefined))) throw error;
      return { isAlone: true };
    }
  };
  const plan: Handle<'plan'> = async ({ mostBytes, part, ...recording }, context) => {
    const { signal, emit } = context;
    return planPieces(await container(recording, context), { mostBytes, part, signal, onProgress: emit });
  };
  const write: Handle<'write'> = async ({ span, target, mostBytes, ...recording }, context) => {
    const { signal, emit } = context;
    return writePiece(await container(recording, context), span, target, {
      signal,
      mostBytes,
      onProgress: paced(emit),
    });
  };
  const peaks: Handle<'peaks'> = async ({ count, ...recording }, context) =>
    peaksIn(await container(recording, context), count, context.signal, paced(context.emit));
  const close = async (): Promise<undefined> => {
    const closing = opened;
    opened = undefined;
    // One that could not be opened is closed.
    await (await closing?.catch(() => undefined))?.close();
  };
  return { open, look, plan, write, peaks, close };
}

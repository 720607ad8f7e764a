import { estimateTokens } from '../../base/tokens.ts';
import type { Recording } from '../recording/recording.ts';
import { meantTracks, type TrackInfo } from '../recording/trackInfo.ts';
import { wholeRecording } from './pieceStore.ts';
import type { SplitRecording } from './pieces.ts';
import type { Candidate } from './translate.ts';
import { isSentWhole, type RecordingWork } from './translateRecording.ts';
import { envelopeBytes } from './uploadLimit.ts';

/** What is about to be sent, without the pieces whose text is there already. */
export interface SendingEstimate {
  readonly recordings: number;
  /** Of all recordings; of those whose length is not known, by their size. */
  readonly seconds: number;
  /** Recordings whose length is not known. */
  readonly unknown: number;
  readonly requests: number;
  /** Of the longest prompt, which goes with each request of its recording. */
  readonly promptTokens: number;
  /** Terms of the glossary that had room in the prompt which left out the most, of how many. */
  readonly terms: number;
  readonly ofTerms: number;
  /** Those with several tracks that may be meant. */
  readonly several: readonly TrackQuestion[];
}

/** A recording with several tracks that may be meant. */
export interface TrackQuestion {
  readonly recording: Recording;
  readonly tracks: readonly TrackInfo[];
  /** The one that is sent if nobody says otherwise. */
  readonly chosen: TrackInfo;
}

/** What a recording comes to. */
type Part = Pick<SendingEstimate, 'seconds' | 'unknown' | 'requests'> & { several?: TrackQuestion | undefined };
type EstimatedBy = Pick<RecordingWork, 'limit' | 'openSplit' | 'chosenTrack' | 'promptFor' | 'store' | 'request'>;

/** Bytes of a second of speech, as it is commonly kept: 64 kbit/s. */
const speechRate = 8_000;

/**
 * How much is to be sent: the length of recordings that do not tell it in their first bytes is read from the whole file.
 * @throws ServiceError `cancelled`
 */
export async function estimateSending(
  candidates: readonly Candidate[],
  work: EstimatedBy,
  signal: AbortSignal,
): Promise<SendingEstimate> {
  let [seconds, unknown, requests, promptTokens, terms, ofTerms] = [0, 0, 0, 0, 0, 0];
  const several: TrackQuestion[] = [];
  for (const candidate of candidates) {
    const asked = await work.promptFor(candidate.recording);
    const part = (await restOf(candidate, asked.prompt, work)) ?? (await wholeOf(candidate, work, signal));
    seconds += part.seconds;
    unknown += part.unknown;
    requests += part.requests;
    if (part.several !== undefined) several.push(part.several);
    promptTokens = Math.max(promptTokens, estimateTokens(asked.prompt));
    if (asked.ofTerms - asked.terms >= ofTerms - terms) [terms, ofTerms] = [asked.terms, asked.ofTerms];
  }
  return { recordings: candidates.length, seconds, unknown, requests, promptTokens, terms, ofTerms, several };
}

/** What is left of a recording that was begun before; undefined for others. */
async function restOf(
  { recording, sha256 }: Candidate,
  prompt: string,
  { store, request, chosenTrack }: EstimatedBy,
): Promise<Part | undefined> {
  const none = { seconds: 0, requests: 0, unknown: 0 };
  if (await store.has({ ...request, ...wholeRecording, sha256, prompt })) return none;
  const plan = await store.plan(sha256);
  if (plan === undefined) return undefined;
  const { track } = plan;
  if (track !== (chosenTrack?.(recording) ?? track)) return undefined;
  let [seconds, requests] = [0, 0];
  for (const { start, end, from, to } of plan.pieces) {
    if (await store.has({ ...request, sha256, track, from, to, prompt: plan.prompt ?? prompt })) continue;
    seconds += end - start;
    requests++;
  }
  return { seconds, requests, unknown: 0 };
}

async function wholeOf(
  { recording }: Candidate,
  { limit, openSplit, chosenTrack }: EstimatedBy,
  signal: AbortSignal,
): Promise<Part> {
  const { size, format } = recording;
  const isWhole = isSentWhole(recording, limit.bytes);
  const told = format.durationSeconds;
  // Of a video, the sound alone is sent.
  const isOpened = told === undefined || (!isWhole && format.mayHavePictures !== undefined);
  const sound = isOpened
    ? await lookInto(recording, (...given) => openSplit(...given, chosenTrack?.(recording)), signal)
    : undefined;
  const bytes = sound?.soundBytes ?? size;
  const seconds = told ?? sound?.durationSeconds;
  return {
    seconds: seconds ?? bytes / speechRate,
    unknown: seconds === undefined ? 1 : 0,
    several: sound && severalOf(recording, sound),
    requests: Math.max(sound?.parts ?? 1, isWhole ? 1 : Math.ceil(bytes / Math.max(1, limit.bytes - envelopeBytes))),
  };
}

type Seen = Pick<SplitRecording, 'durationSeconds' | 'soundBytes' | 'tracks' | 'track' | 'parts'>;

function severalOf(recording: Recording, { tracks = [], track }: Seen): TrackQuestion | undefined {
  const chosen = tracks.find(({ number }) => number === track);
  const meant = meantTracks(tracks);
  return chosen === undefined || meant.length < 2 ? undefined : { recording, tracks: meant, chosen };
}

async function lookInto(
  recording: Recording,
  openSplit: (recording: Recording, signal: AbortSignal) => Promise<SplitRecording>,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  try {
    const split = await openSplit(recording, signal);
    await split.close();
    return split;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

import { ServiceError } from '../../../base/errors.ts';
import { estimateTokens } from '../../../base/tokens.ts';
import type { Recording } from '../../recording/recording.ts';
import { meantTracks, type TrackInfo } from '../../recording/trackInfo.ts';
import type { OnProgress } from '../../split/container.ts';
import type { AudioPiece } from '../../split/plan/planPieces.ts';
import type { SplitRecording } from '../pieces.ts';
import type { Candidate } from '../translate.ts';
import { envelopeBytes } from '../uploadLimit.ts';
import { pieceRequest, type SendingWay, type WayWork, wayOf, wholeRequest } from './sendingWay.ts';
import type { RecordingWork } from './sendingWork.ts';

/** What is about to be sent, without the pieces whose text is there already. */
export interface SendingEstimate {
  /** Those of which something is sent. */
  readonly recordings: number;
  /** What goes up, request by request: seconds of sound, and bytes of its file. */
  readonly requests: readonly SentPart[];
  /** Of all recordings; of those whose length is not known, by their size. */
  readonly seconds: number;
  /** Recordings whose length is not known. */
  readonly unknown: number;
  /** Requests that have a piece of a recording that is cut. */
  readonly pieces: number;
  /** Pieces whose text is there from before. */
  readonly kept: number;
  /** Recordings that nobody can read: nothing is sent of them. */
  readonly unreadable: number;
  /** Whether there may be some requests more: how many bytes a piece takes that is encoded is known when it is. */
  readonly isAbout: boolean;
  /** Recordings of many bytes for what is heard in them: what they come to, and would as speech is commonly kept. */
  readonly convertible?: { readonly bytes: number; readonly asSpeech: number } | undefined;
  /** Of the longest prompt, which goes with each request of its recording. */
  readonly promptTokens: number;
  /** Terms of the glossary that had room in the prompt which left out the most, of how many. */
  readonly terms: number;
  readonly ofTerms: number;
  /** Those with several tracks that may be meant. */
  readonly several: readonly TrackQuestion[];
}

/** What one request sends. */
export interface SentPart {
  readonly seconds: number;
  readonly bytes: number;
  /** Whether its bytes are as it says, and not about so many. */
  readonly isExact?: true;
}

/** A recording with several tracks that may be meant. */
export interface TrackQuestion {
  readonly recording: Recording;
  readonly tracks: readonly TrackInfo[];
  /** The one that is sent if nobody says otherwise. */
  readonly chosen: TrackInfo;
}

/** What a recording comes to. */
interface Part {
  readonly seconds: number;
  readonly requests: readonly SentPart[];
  readonly isUnknown?: boolean;
  readonly isCut?: boolean;
  readonly isEncoded?: boolean | undefined;
  readonly kept?: number;
  readonly several?: TrackQuestion | undefined;
  readonly isUnreadable?: true;
}

type EstimatedBy = WayWork & Pick<RecordingWork, 'openSplit' | 'promptFor'>;

/** Bytes of a second of speech, as it is commonly kept: 64 kbit/s. */
const speechRate = 8_000;
/** The same as it may be kept, where little is to be sent: 48 kbit/s of MP3 or Opus. */
const smallRate = 6_000;
/** A recording that has so many times its bytes could be converted first. */
const manyTimes = 10;

/**
 * What is to be sent: each recording is looked into and cut as it will be, so that what is said is what is done.
 * @param onProgress takes the share of the recordings that were looked into
 * @throws ServiceError `cancelled`
 */
export async function estimateSending(
  candidates: readonly Candidate[],
  work: EstimatedBy,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
): Promise<SendingEstimate> {
  let [promptTokens, terms, ofTerms] = [0, 0, 0];
  const parts: Part[] = [];
  // The same bytes are sent once, whatever their files are called.
  const seen = new Set<string>();
  for (const [index, candidate] of candidates.entries()) {
    if (signal.aborted) throw new ServiceError('cancelled');
    onProgress(index / candidates.length);
    if (seen.has(candidate.sha256)) continue;
    seen.add(candidate.sha256);
    const asked = await work.promptFor(candidate.recording);
    parts.push(await partOf(candidate, asked.prompt, work, signal));
    promptTokens = Math.max(promptTokens, estimateTokens(asked.prompt));
    if (asked.ofTerms - asked.terms >= ofTerms - terms) [terms, ofTerms] = [asked.terms, asked.ofTerms];
  }
  return { ...sumOf(parts), promptTokens, terms, ofTerms };
}

function sumOf(parts: readonly Part[]): Omit<SendingEstimate, 'promptTokens' | 'terms' | 'ofTerms'> {
  const sum = (of: (part: Part) => number): number => parts.reduce((all, part) => all + of(part), 0);
  return {
    recordings: sum(({ requests }) => (requests.length > 0 ? 1 : 0)),
    requests: parts.flatMap(({ requests }) => requests),
    seconds: sum(({ seconds }) => seconds),
    unknown: sum(({ isUnknown }) => (isUnknown ? 1 : 0)),
    pieces: sum(({ isCut, requests }) => (isCut ? requests.length : 0)),
    kept: sum(({ kept = 0 }) => kept),
    unreadable: sum(({ isUnreadable }) => (isUnreadable ? 1 : 0)),
    isAbout: parts.some(({ isCut, isEncoded, requests }) => isCut && isEncoded && requests.length > 0),
    convertible: convertibleOf(parts),
    several: parts.flatMap(({ several }) => several ?? []),
  };
}

function convertibleOf(parts: readonly Part[]): SendingEstimate['convertible'] {
  let [bytes, asSpeech] = [0, 0];
  for (const { requests, isUnknown } of parts) {
    const all = requests.reduce((sum, each) => sum + each.bytes, 0);
    const small = requests.reduce((sum, { seconds }) => sum + seconds, 0) * smallRate;
    if (isUnknown || all === 0 || all < manyTimes * small) continue;
    bytes += all;
    asSpeech += small;
  }
  return bytes > 0 ? { bytes, asSpeech } : undefined;
}

async function partOf(candidate: Candidate, prompt: string, work: EstimatedBy, signal: AbortSignal): Promise<Part> {
  const { recording, sha256 } = candidate;
  const isChosen = work.chosenTrack?.(recording) !== undefined;
  if (!isChosen && (await work.store.has(wholeRequest(work, sha256, prompt)))) return { seconds: 0, requests: [] };
  try {
    const way = await wayOf(recording, sha256, prompt, work, signal);
    return way.kind === 'whole' ? wholeOf(way) : await piecesOf(candidate, prompt, way, work, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    return { seconds: 0, requests: [], isUnreadable: true };
  }
}

function wholeOf({ alone: { recording, seconds } }: Extract<SendingWay, { kind: 'whole' }>): Part {
  const known = seconds ?? recording.format.durationSeconds;
  const length = known ?? recording.size / speechRate;
  const request: SentPart = { seconds: length, bytes: recording.size, isExact: true };
  return { seconds: length, isUnknown: known === undefined, requests: [request] };
}

/** What is left of a recording that was begun before, or all the pieces of another one. */
async function piecesOf(
  { recording, sha256 }: Candidate,
  prompt: string,
  { plan, track }: Extract<SendingWay, { kind: 'pieces' }>,
  work: EstimatedBy,
  signal: AbortSignal,
): Promise<Part> {
  const { limit, store } = work;
  let opened: SplitRecording | undefined;
  const open = async (): Promise<SplitRecording> => {
    opened ??= await work.openSplit(recording, signal, track);
    return opened;
  };
  try {
    const pieces = plan?.pieces ?? (await (await open()).plan(limit.bytes, signal));
    const fits = ({ bytes }: AudioPiece): boolean => bytes !== undefined && bytes + envelopeBytes <= limit.bytes;
    const asked = { track: plan?.track ?? opened?.track, prompt: plan?.prompt };
    const isKept = (piece: AudioPiece): Promise<boolean> => store.has(pieceRequest(work, sha256, asked, piece, prompt));
    const left: AudioPiece[] = [];
    let kept = 0;
    async function add(piece: AudioPiece): Promise<void> {
      if (await isKept(piece)) kept++;
      else left.push(piece);
    }
    for (const piece of pieces) {
      if (fits(piece) || (await isKept(piece))) await add(piece);
      else {
        // The limit is lower than when it was cut, or an older version did not keep how many bytes it has.
        const [first, ...others] = await (await open()).plan(limit.bytes, signal, piece);
        if (others.length === 0) await add({ ...piece, bytes: first?.bytes });
        else for (const each of [first as AudioPiece, ...others]) await add(each);
      }
    }
    const requests = left.map(({ from, to, bytes }) => ({ seconds: to - from, bytes: bytes ?? 0 }));
    return {
      // What is heard on both sides of a cut counts once.
      seconds: left.reduce((sum, { start, end }) => sum + end - start, 0),
      requests,
      isCut: kept + left.length > 1,
      isEncoded: opened?.isEncoded,
      kept,
      several: plan === undefined && opened !== undefined ? severalOf(recording, opened) : undefined,
    };
  } finally {
    await opened?.close();
  }
}

function severalOf(
  recording: Recording,
  { tracks = [], track }: Pick<SplitRecording, 'tracks' | 'track'>,
): TrackQuestion | undefined {
  const chosen = tracks.find(({ number }) => number === track);
  const meant = meantTracks(tracks);
  return chosen === undefined || meant.length < 2 ? undefined : { recording, tracks: meant, chosen };
}

import { isTaken } from '../../recording/formats.ts';
import type { Recording } from '../../recording/recording.ts';
import { type PiecePlan, type PieceRequest, wholeRecording } from '../pieceStore.ts';
import type { SoundAlone } from '../soundAlone.ts';
import { envelopeBytes } from '../uploadLimit.ts';
import type { RecordingWork } from './sendingWork.ts';

/** How a recording goes to the service: as it is, or its sound alone, in one piece or several. */
export type SendingWay =
  | { readonly kind: 'whole'; readonly alone: SoundAlone }
  | {
      readonly kind: 'pieces';
      /** The number of the track that is wanted; undefined for the one that seems to be meant. */
      readonly track: number | undefined;
      /** How it was cut when it was begun, which it goes on with. */
      readonly plan: PiecePlan | undefined;
      /** The file as it is, which a service that takes no FLAC may take. */
      readonly alone: SoundAlone | undefined;
    };

/** What decides on the way of a recording. */
export type WayWork = Pick<
  RecordingWork,
  'limit' | 'store' | 'request' | 'chosenTrack' | 'proveAlone' | 'encodedRefusal'
>;

/**
 * How a recording is to be sent. What is said before it is sent, and what is done, both go by this.
 * @param prompt of the whole; pieces of an earlier plan have that of their plan
 * @throws ServiceError as `proveAlone`: a recording that cannot be read is not sent
 */
export async function wayOf(
  recording: Recording,
  sha256: string,
  prompt: string,
  work: WayWork,
  signal: AbortSignal,
): Promise<SendingWay> {
  const { limit, store, encodedRefusal } = work;
  const chosen = work.chosenTrack?.(recording);
  const kept = await store.plan(sha256);
  // Pieces of another track would not fit those that came back.
  const plan = chosen === undefined || chosen === kept?.track ? kept : undefined;
  const isBegun = plan !== undefined && (await hasAnswer(plan, sha256, prompt, work));
  const mayGo = !isBegun && isSentWhole(recording, limit.bytes);
  const alone = mayGo ? await work.proveAlone(recording, signal) : undefined;
  if (alone !== undefined && !(alone.isHalved && encodedRefusal?.isKnown !== true)) return { kind: 'whole', alone };
  return { kind: 'pieces', track: chosen ?? plan?.track, plan, alone };
}

/** The answer that a recording would have which was sent as it is. */
export const wholeRequest = ({ request }: Pick<WayWork, 'request'>, sha256: string, prompt: string): PieceRequest => ({
  ...request,
  ...wholeRecording,
  sha256,
  prompt,
});

/** The answer that belongs to a piece of a plan. @param prompt where the plan has none */
export const pieceRequest = (
  { request }: Pick<WayWork, 'request'>,
  sha256: string,
  { track, prompt }: Pick<PiecePlan, 'track' | 'prompt'>,
  { from, to }: Pick<PieceRequest, 'from' | 'to'>,
  otherwise: string,
): PieceRequest => ({ ...request, sha256, track, from, to, prompt: prompt ?? otherwise });

async function hasAnswer(plan: PiecePlan, sha256: string, prompt: string, work: WayWork): Promise<boolean> {
  for (const piece of plan.pieces) {
    if (await work.store.has(pieceRequest(work, sha256, plan, piece, prompt))) return true;
  }
  return false;
}

/** Whether a service takes a recording as it is, where there is nothing but sound in it; of any other it gets the sound alone. */
function isSentWhole({ size, format }: Recording, limit: number): boolean {
  return isTaken(format) && size + envelopeBytes <= limit;
}

import { ServiceError } from '../../../base/errors.ts';
import type { Container, OnProgress } from '../container.ts';
import { findQuietCut } from './quietCut.ts';

/** A part of a recording that is sent on its own. Times are in seconds from the start of the recording, all of them of packets. */
export interface AudioPiece {
  index: number;
  /** What this piece alone answers for: the parts of all pieces follow one another without a gap. */
  start: number;
  end: number;
  /**
   * What is heard in it. More than its own part where a word may be cut: an overlap with its neighbour; and at the start, what a
   * decoder needs to begin with.
   */
  from: number;
  to: number;
  /** Whether its part begins and ends in a pause, or with the recording: nothing is said there. */
  startsQuiet: boolean;
  endsQuiet: boolean;
  /** Bytes of the file that it is sent in, about. */
  bytes?: number | undefined;
}

/** What a plan is made of: the shape of a sound, and how loud it is. */
export type PlannedSound = Pick<
  Container,
  | 'fileName'
  | 'codec'
  | 'parts'
  | 'start'
  | 'end'
  | 'form'
  | 'likelyShare'
  | 'preRoll'
  | 'packetStart'
  | 'packetCount'
  | 'byteCount'
  | 'reach'
  | 'levels'
>;

export interface PlanOptions {
  /** The most bytes of a request: those of the piece and of what goes with it. */
  mostBytes: number;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
  /** The part of the recording that is to be split; all of it where it is left out. Times have to be those of an earlier plan. */
  part?: Pick<AudioPiece, 'start' | 'end' | 'startsQuiet' | 'endsQuiet'> | undefined;
}

/** Bytes of a request beside its file: fields, a prompt, headers. */
const envelope = 64 * 1024;
/** The share of a piece's room that is planned to be used; the rest is for the search of a pause. */
const planned = 0.92;
/** Seconds that are searched for a pause on each side of where a cut would be best. */
const searched = 20;
/** Seconds that two pieces share on each side of a cut that is not in a pause: merging them needs words that both have heard. */
const overlap = 2;
/** Seconds at the end of words that take hardly more bytes than a pause, of a codec whose packets have no other level. */
const weakEnds: Readonly<Record<string, number>> = { vorbis: 0.2 };
/** Seconds of a packet of the codecs whose decoders need some sound before. */
const longestPacket = 0.06;
/** The shortest piece, in seconds. Services bill ten seconds for each, and refuse a tenth. */
const shortest = 1;
/** The most pieces. */
const mostPieces = 5_000;

/**
 * Splits a recording into pieces that are as equal as its pauses allow, and as few as its bytes do. The same recording and limit
 * give the same pieces.
 * @throws ServiceError `too-large` with `param` `limit` when a request has no room for a second of it, or there would be too many
 * pieces; `cancelled`
 */
export async function planPieces(sound: PlannedSound, options: PlanOptions): Promise<AudioPiece[]> {
  const { parts } = sound;
  if (parts === undefined) return planPart(sound, options);
  const { part, onProgress } = options;
  const isIn = (each: Container): boolean => part === undefined || (each.start <= part.start && each.end > part.start);
  const pieces: AudioPiece[] = [];
  for (const each of parts.filter(isIn)) {
    const shareOf = (share: number): number => (each.start + share * (each.end - each.start)) / sound.end;
    pieces.push(
      ...(await planPart(each, { ...options, onProgress: onProgress && ((share) => onProgress(shareOf(share))) })),
    );
  }
  if (pieces.length > mostPieces) throw new ServiceError('too-large', { hint: sound.fileName, param: 'limit' });
  return pieces.map((piece, index) => ({ ...piece, index }));
}

async function planPart(
  sound: PlannedSound,
  { mostBytes, signal, onProgress, part }: PlanOptions,
): Promise<AudioPiece[]> {
  const { form, packetStart } = sound;
  const room = mostBytes - envelope - form.headerBytes;
  const weigh = (from: number, to: number): number =>
    sound.byteCount(from, to) + sound.packetCount(from, to) * form.packetBytes;
  const whole = part ?? { start: sound.start, end: sound.end, startsQuiet: true, endsQuiet: true };
  /** Where the sound of a piece begins, and ends. */
  const fromOf = (start: number, isQuiet: boolean): number =>
    Math.max(sound.start, packetStart(start <= sound.start ? start : start - (isQuiet ? sound.preRoll : overlap)));
  const toOf = (end: number, isQuiet: boolean): number =>
    isQuiet || end >= sound.end ? end : Math.min(sound.end, packetStart(end + overlap));
  const lastTo = toOf(whole.end, whole.endsQuiet);

  const pieces: AudioPiece[] = [];
  const bytesOf = (from: number, to: number): number =>
    Math.round(
      sound.byteCount(from, to) * (sound.likelyShare ?? 1) + sound.packetCount(from, to) * form.usualPacketBytes,
    );
  let { start, startsQuiet } = whole;
  for (;;) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const from = fromOf(start, startsQuiet);
    const index = pieces.length;
    if (weigh(from, lastTo) <= room) {
      const { end, endsQuiet } = whole;
      pieces.push({ index, start, end, from, to: lastTo, startsQuiet, endsQuiet, bytes: bytesOf(from, lastTo) });
      return pieces;
    }
    const latest = Math.min(sound.reach(from, room, form.packetBytes) - overlap, whole.end - shortest);
    if (latest < start + shortest || index + 1 >= mostPieces) {
      throw new ServiceError('too-large', { hint: sound.fileName, param: 'limit' });
    }
    const rest = weigh(start, whole.end);
    const count = Math.max(2, Math.ceil(rest / (room * planned)));
    const target = Math.min(latest, sound.reach(start, rest / count, form.packetBytes));
    const cut = await findCut(sound, { start, target, latest }, signal);
    const { endsQuiet } = cut;
    const end = Math.max(packetStart(cut.end), packetStart(start + shortest));
    const to = toOf(end, endsQuiet);
    pieces.push({ index, start, end, from, to, startsQuiet, endsQuiet, bytes: bytesOf(from, to) });
    [start, startsQuiet] = [end, endsQuiet];
    onProgress?.((end - whole.start) / (whole.end - whole.start));
  }
}

/** Looks for a pause near the target, but not so far that pieces become unequal. */
async function findCut(
  sound: PlannedSound,
  { start, target, latest }: { start: number; target: number; latest: number },
  signal: AbortSignal,
): Promise<Pick<AudioPiece, 'end' | 'endsQuiet'>> {
  const width = Math.min(searched, (target - start) / 3);
  const from = Math.max(start + shortest, target - width);
  const to = Math.min(latest, target + width);
  const levels = to > from ? await sound.levels(from, to, signal) : undefined;
  if (levels === undefined) return { end: Math.min(target, latest), endsQuiet: false };
  const { time, isQuiet } = findQuietCut(levels, {
    from,
    to,
    target: Math.min(to, Math.max(from, target)),
    // Cuts and pieces begin with packets, which are no longer than this.
    heardBefore: sound.preRoll === 0 ? 0 : sound.preRoll + longestPacket + (weakEnds[sound.codec] ?? 0),
  });
  return { end: time, endsQuiet: isQuiet };
}

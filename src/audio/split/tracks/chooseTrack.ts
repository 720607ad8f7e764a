import { type AudioCodec, type Input, type InputAudioTrack, MATROSKA, WEBM } from 'mediabunny';
import { preferredTrack, type TrackInfo } from '../../recording/trackInfo.ts';
import { pcmEncodings } from '../pcm/pcmEncoding.ts';
import { type PieceForm, pieceForms } from '../pieceForms.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import { codecName, listTracks } from './listTracks.ts';

/** The track of a recording that is copied, and the file it is copied into. */
export interface TrackChoice {
  track: InputAudioTrack;
  codec: AudioCodec;
  form: PieceForm;
  /** All tracks of sound, where there are several, and the number of this one. */
  tracks?: readonly TrackInfo[];
  number?: number;
}

/** How one of several tracks is chosen. */
export interface TrackWish {
  /** The one that somebody chose. */
  readonly track?: number | undefined;
  /** Languages of the user, the nearest first. */
  readonly languages?: readonly string[] | undefined;
}

/**
 * The track that is wanted, or that seems to be meant; several hold the same in other languages, what others say about it, or nothing.
 * @param isCut whether the file ends before it should
 * @throws ServiceError `not-audio` with the codec as `param`, or `none`, or `cut`
 */
export async function chooseTrack(
  input: Input,
  { fileName }: SourceFile,
  { track: wanted, languages = [] }: TrackWish,
  isCut: boolean,
): Promise<TrackChoice> {
  const tracks = await input.getAudioTracks();
  const format = await input.getFormat();
  const isWebm = format === WEBM || format === MATROSKA;
  const [only] = tracks;
  // Many writers put the table of the tracks last, where it is cut off first.
  if (only === undefined) throw notAudio(fileName, isCut && (await input.getTracks()).length === 0 ? 'cut' : 'none');
  if (tracks.length === 1) return choiceOf(only, isWebm, fileName);
  const listed = await listTracks(tracks, (codec) => formFor(codec, isWebm) !== undefined);
  const chosen = listed.find(({ number }) => number === wanted) ?? preferredTrack(listed, languages) ?? listed[0];
  if (chosen === undefined) throw notAudio(fileName);
  const infos = listed.map(({ track: _, ...info }) => info);
  return { ...(await choiceOf(chosen.track, isWebm, fileName)), tracks: infos, number: chosen.number };
}

async function choiceOf(track: InputAudioTrack, isWebm: boolean, fileName: string): Promise<TrackChoice> {
  const codec = await track.getCodec();
  const form = codec === null ? undefined : formFor(codec, isWebm);
  if (codec === null || form === undefined) {
    throw notAudio(fileName, codec ?? codecName(await track.getInternalCodecId()));
  }
  return { track, codec, form };
}

function formFor(codec: AudioCodec, isWebm: boolean): PieceForm | undefined {
  if (codec in pcmEncodings) return pieceForms.wav;
  const forms: Partial<Record<AudioCodec, PieceForm>> = {
    aac: pieceForms.m4a,
    mp3: pieceForms.mp3,
    flac: pieceForms.flac,
    opus: isWebm ? pieceForms.webm : pieceForms.ogg,
    vorbis: isWebm ? pieceForms.webm : pieceForms.ogg,
  };
  return forms[codec];
}

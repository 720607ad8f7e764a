import { type AudioCodec, type Input, type InputAudioTrack, MATROSKA, WEBM } from 'mediabunny';
import { pcmEncodings } from '../pcm/pcmEncoding.ts';
import { type PieceForm, pieceForms } from '../pieceForms.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';

/** The track of a recording that is copied, and the file it is copied into. */
export interface TrackChoice {
  track: InputAudioTrack;
  codec: AudioCodec;
  form: PieceForm;
}

/**
 * The first track that can be copied; several hold the same in other languages, or in other codecs.
 * @throws ServiceError `not-audio` with the codec as `param`, or `none`
 */
export async function chooseTrack(input: Input, { fileName }: SourceFile): Promise<TrackChoice> {
  const tracks = await input.getAudioTracks();
  const format = await input.getFormat();
  const isWebm = format === WEBM || format === MATROSKA;
  let refused: string | undefined;
  for (const track of tracks) {
    const codec = await track.getCodec();
    const form = codec === null ? undefined : formFor(codec, isWebm);
    if (codec !== null && form !== undefined) return { track, codec, form };
    refused ??= codec ?? codecName(await track.getInternalCodecId());
  }
  throw notAudio(fileName, tracks.length === 0 ? 'none' : refused);
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

/** A codec that the library does not know, by its name in the file: `alac`, `A_TRUEHD`. */
function codecName(id: string | number | Uint8Array | null): string {
  return typeof id === 'string' ? id : 'unknown';
}

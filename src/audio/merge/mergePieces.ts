import { nextTurn } from '../../base/nextTurn.ts';
import { isNoSpeech, joinTexts, type Segment, type Translation, type Untranslated } from '../../service/audio/audio.ts';
import { joinAt, keepOrder } from './joinParts.ts';
import type { TranscriptPart } from './placedWords.ts';
import { type SharedAudio, seamByTime, seamByWords } from './seam.ts';
import { type AudioSpan, settleTimes } from './settleTimes.ts';
import { wordKeys } from './spokenWords.ts';
import { inSeconds } from './timeUnits.ts';

/** A piece of a recording and its translation. Times are in seconds of the whole recording, but for those of its segments. */
export interface TranslatedPiece extends AudioSpan {
  /** The part of the recording that it owns: pieces own all of it and nothing twice, however far their audio overlaps. */
  start: number;
  end: number;
  /** Whether it begins in a pause: then nothing is said in what it shares with the piece before. */
  startsQuiet: boolean;
  /** As the service gave it: times of segments are from the start of the piece's audio. */
  translation: Translation;
}

/** The text of a whole recording. */
export interface MergedTranslation extends Translation {
  /** Where the service gave no times: the text of each piece, over the seconds that it owns. */
  blocks?: Segment[] | undefined;
}

/** Shared audio, in seconds, that holds no word: files cannot be cut any finer than by their packets. */
const noOverlap = 0.05;
/** Pieces that are put together in one turn of the event loop. */
const piecesATurn = 50;

/**
 * Puts the translations of pieces together: one text, and one list of segments in seconds of the whole recording, where any piece has
 * some. What two pieces both heard is taken once: by the words that both have in common, and where none tell, by the midpoints of
 * segments. What nothing tells about is kept twice rather than lost.
 * @param pieces in the order of the recording
 */
export async function mergePieces(pieces: readonly TranslatedPiece[]): Promise<MergedTranslation> {
  const merged: TranscriptPart[] = [];
  let to = Number.NEGATIVE_INFINITY;
  for (const [index, piece] of pieces.entries()) {
    if (index % piecesATurn === piecesATurn - 1) await nextTurn();
    const shared = piece.startsQuiet ? undefined : { from: piece.from, to, border: piece.start };
    append(merged, apart(partsOf(piece), index, pieces.length), shared);
    to = Math.max(to, piece.to);
  }
  keepOrder(merged);
  const untranslated = untranslatedOf(pieces);
  const segments = merged.map(({ isTimed: _, ...segment }) => segment);
  const isTimed = merged.some((part) => part.isTimed);
  return {
    text: joinTexts(merged.map(({ text }) => text)),
    segments: isTimed ? segments : undefined,
    ...(isTimed || segments.length === 0 ? {} : { blocks: segments }),
    ...(untranslated === undefined ? {} : { untranslated }),
    ...spokenIn(pieces),
  };
}

/** The language of the longest text that has one; a translation where any text is one. */
function spokenIn(pieces: readonly TranslatedPiece[]): Pick<Translation, 'language' | 'isTranslated'> {
  const lengths = new Map<string, number>();
  for (const { translation } of pieces) {
    const { language, text } = translation;
    if (language !== undefined) lengths.set(language, (lengths.get(language) ?? 0) + text.length);
  }
  const [longest] = [...lengths].sort(([, a], [, b]) => b - a);
  return {
    ...(longest === undefined ? {} : { language: longest[0] }),
    ...(pieces.some(({ translation }) => translation.isTranslated) ? { isTranslated: true as const } : {}),
  };
}

/** A speaker without a name, whom the service counts in each piece anew. */
const nameless = /^Speaker \w{1,4}$/;

/** Parts in which speakers without a name are those of their piece: the first of one need not be the first of another. */
function apart(parts: readonly TranscriptPart[], index: number, pieces: number): TranscriptPart[] {
  return parts.map((part) =>
    pieces > 1 && part.speaker !== undefined && nameless.test(part.speaker)
      ? { ...part, speaker: `${part.speaker} (piece ${index + 1})` }
      : part,
  );
}

/** Segments that hold less than this share of the words of their text leave some of them out. */
const leastOfWords = 0.9;

/** Seconds beyond the audio of a piece in which a segment of it may begin: what is later has times of another kind. */
const tolerance = 0.5;

/**
 * The segments of a piece that have words; without any, or where they leave out some of the text, that over the time that it owns, as where
 * their times can be none.
 */
function partsOf({ translation, ...piece }: TranslatedPiece): TranscriptPart[] {
  const segments = translation.segments?.filter(({ text }) => text.trim() !== '') ?? [];
  const isWhole = segments.length > 0 && areWhole(segments, translation.text);
  const timed = isWhole ? inSeconds(segments, piece.to - piece.from + tolerance) : undefined;
  if (timed !== undefined) return settleTimes(timed, piece).map((segment) => ({ ...segment, isTimed: true }));
  const text = isWhole ? joinTexts(segments.map((segment) => segment.text.trim())) : translation.text.trim();
  return text === '' ? [] : [{ start: piece.start, end: piece.end, text, isTimed: false }];
}

/** Whether segments say all of a text; one word more or less may be one that was torn in two. */
function areWhole(segments: readonly Segment[], text: string): boolean {
  const [wanted, said] = [wordKeys(text).length, wordKeys(segments.map((segment) => segment.text).join(' ')).length];
  return said >= Math.min(wanted - 1, leastOfWords * wanted);
}

/** Appends the parts of a piece to those of all pieces before it. */
function append(merged: TranscriptPart[], right: readonly TranscriptPart[], shared: SharedAudio | undefined): void {
  if (shared === undefined || shared.to - shared.from <= noOverlap || right.length === 0) {
    for (const part of right) merged.push(part);
    return;
  }
  // Of what ended before, one part says where the gap to it begins.
  const left = merged.splice(
    Math.max(
      0,
      merged.findLastIndex(({ end }) => end < shared.from),
    ),
  );
  const seam = seamByWords(left, right, shared) ?? seamByTime(left, right, shared.border);
  for (const part of joinAt(seam, left, right)) merged.push(part);
}

/** The whole is no translation where any text of it is none; its language is that of the longest such text. */
function untranslatedOf(pieces: readonly TranslatedPiece[]): Untranslated | undefined {
  const others = pieces
    .map(({ translation }) => translation)
    .filter(({ text, untranslated }) => untranslated !== undefined && !isNoSpeech(text))
    .sort((a, b) => b.text.length - a.text.length);
  return (
    others.find(({ untranslated }) => untranslated?.language !== undefined)?.untranslated ?? others[0]?.untranslated
  );
}

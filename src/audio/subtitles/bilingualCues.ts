import { isNoSpeech, type Segment } from '../../service/audio/audio.ts';
import { bilingualBlocks } from '../transcript/sideBySide.ts';
import { oneLine } from '../transcript/timedText.ts';
import { toMilliseconds } from '../transcript/timestamps.ts';
import type { Cue } from './cues.ts';
import { guidelines } from './guidelines.ts';

const { charactersPerLine, gapMs, briefestMs, shortestMs, lingerMs, charactersPerSecond } = guidelines;

/** Characters of scripts that are as wide as two of Latin. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/gu;
/** Characters that a cut at the end of a sentence, or of a clause, may be farther from where it would be best. */
const forSentence = 14;
const forClause = 7;

/**
 * Both texts of a recording as subtitles of two lines: what is spoken, and below it the English. A stretch that is too long for a line is cut,
 * in both texts at about the same place; where there are no words of one, the other stands alone.
 */
export function* bilingualCues(spoken: readonly Segment[], english: readonly Segment[]): Generator<Cue> {
  const heard = (all: readonly Segment[]): Segment[] => all.filter(({ text }) => !isNoSpeech(text));
  const blocks = bilingualBlocks(heard(spoken), heard(english));
  let earliest = 0;
  for (const [index, block] of blocks.entries()) {
    const texts = [block.spoken, block.english].map(oneLine);
    const start = Math.max(earliest, toMilliseconds(block.start));
    const nextMs = toMilliseconds(blocks[index + 1]?.start ?? Number.POSITIVE_INFINITY);
    const longest = Math.max(...texts.map((text) => text.length));
    const spokenEnd = toMilliseconds(block.end);
    const readable = start + Math.ceil((longest / charactersPerSecond) * 1000);
    const wanted = Math.max(spokenEnd, start + shortestMs, Math.min(readable, spokenEnd + lingerMs));
    const end = Math.max(start + briefestMs, Math.min(wanted, nextMs - gapMs));
    const count = Math.min(Math.max(...texts.map(linesOf)), Math.max(1, Math.floor((end - start) / shortestMs)));
    const parts = texts.map((text) => splitEvenly(text, count));
    const lengths = Array.from({ length: count }, (_, at) =>
      Math.max(1, ...parts.map((each) => each[at]?.length ?? 0)),
    );
    const all = lengths.reduce((sum, length) => sum + length, 0);
    let spent = 0;
    for (const [at, length] of lengths.entries()) {
      const from = Math.round(start + ((end - start) * spent) / all);
      spent += length;
      const to = Math.round(start + ((end - start) * spent) / all);
      const lines = parts.map((each) => each[at] ?? '').filter((line) => line !== '');
      if (lines.length > 0) yield { startMs: from, endMs: at + 1 < count ? Math.max(from + 1, to - gapMs) : to, lines };
    }
    earliest = end + gapMs;
  }
}

const linesOf = (text: string): number =>
  Math.max(1, Math.ceil((text.length + (text.match(wide)?.length ?? 0)) / charactersPerLine));

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Divides a text between its words into so many parts of about the same length; with fewer words, the last parts are empty. */
function splitEvenly(text: string, count: number): string[] {
  if (count === 1) return [text];
  const borders = bordersOf(text);
  const parts: string[] = [];
  let from = 0;
  let next = 0;
  for (let part = 1; part < count; part++) {
    const target = from + (text.length - from) / (count - part + 1);
    let best: { readonly at: number; readonly cost: number } | undefined;
    for (let index = next; index < borders.length; index++) {
      const at = borders[index] ?? 0;
      if (at <= from) continue;
      const cost = Math.abs(at - target) - worthOf(text, at);
      if (best === undefined || cost < best.cost) [best, next] = [{ at, cost }, index];
      if (at > target + forSentence) break;
    }
    const at = best?.at ?? text.length;
    parts.push(text.slice(from, at).trim());
    from = at;
  }
  return [...parts, text.slice(from).trim()];
}

/** Where a word begins, and no mark that belongs to the one before. */
function bordersOf(text: string): number[] {
  const borders: number[] = [];
  for (const { index, isWordLike, segment } of segmenter.segment(text)) {
    const isOpening = /^[“‘«(「『【（]/.test(segment);
    if (index > 0 && (isWordLike || isOpening) && !/[“‘«(「『【（'’-]$/.test(text.slice(0, index))) borders.push(index);
  }
  return borders;
}

function worthOf(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 6), at).trimEnd();
  if (/[.!?…。！？]["'”’»)\]」』]*$/.test(before)) return forSentence;
  return /[,;:，；：、–—]["'”’»)\]]*$/.test(before) ? forClause : 0;
}

import { guidelines } from './guidelines.ts';

const line = guidelines.charactersPerLine;
/** The most characters of a cue; how many do fit depends on its words. */
export const mostOfCue = guidelines.linesPerCue * line;

/** Characters that do fit in most cases, as words do not fill a line. */
const usualCue = mostOfCue - 8;

/** A place where a text may be divided: the part before ends at one index, the part after begins at another. */
interface Border {
  readonly end: number;
  readonly start: number;
  /** How bad it is to divide the text here, in characters that a better place may be farther away. */
  readonly cost: number;
}

/** The guide's order: after punctuation, before conjunctions and prepositions, and never after a word that clings to the next. */
const costs = { sentence: 0, clause: 12, phrase: 24, word: 32, clinging: 48, torn: 100 } as const;

const prepositions = 'about after at before by during for from in into of on over through to under until with without';
const conjunctions = 'although and because but if or so than that when where which while who';
const openers = new Set(`${prepositions} ${conjunctions}`.split(' '));
const articles = 'a an the his her its my our their your this these those';
const pronouns = 'i you he she it we they am are be been can could is was were will would not no';
const clinging = new Set(`${prepositions} ${conjunctions} ${articles} ${pronouns}`.split(' '));

/** Sentences of Chinese and Japanese go on without a space. */
const wideMark = /[、。，．！？；：]/;
const wideClosing = /[、。，．！？；：」』）”’]/;
const sentenceEnd = /[.!?…。！？]["'”’»)\]]*$/;
const clauseEnd = /[,;:，；：、]["'”’»)\]]*$|(?:^|\s)[-–—]$|[–—]$/;
const abbreviation = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|[A-Z])\.$/;

/** Whether a text ends where its sentence does. */
export function endsSentence(text: string): boolean {
  const tail = text.slice(-word);
  return sentenceEnd.test(tail) && !abbreviation.test(tail);
}

/** Whether a text in one line can stand in one cue. */
export function fitsCue(text: string): boolean {
  return text.length <= mostOfCue && nextBorder(text, 0, mostOfCue).end === text.length;
}

/**
 * Divides a text in one line into parts that stand in a cue each, of about the same length, at the ends of sentences and clauses where
 * these are near. What is given are indexes of the text; the space between two parts is in neither.
 * @param most the most characters of a part, at least those of a line
 */
export function* splitText(text: string, most: number): Generator<{ from: number; to: number }> {
  for (let from = 0; from < text.length; ) {
    const { end, start } = nextBorder(text, from, most);
    yield { from, to: end };
    from = start;
  }
}

/** A text that fits into a cue as its lines: one, or two of about the same length. */
export function breakLines(text: string): string[] {
  if (text.length <= line) return [text];
  const borders = bordersIn(text, 0, text.length).filter(
    ({ end, start }) => end <= line && text.length - start <= line,
  );
  const unevenness = ({ end, start }: Border): number => Math.abs(end - (text.length - start)) / 2;
  const best = cheapest(borders, unevenness) ?? { end: line, start: line };
  return [text.slice(0, best.end), text.slice(best.start)];
}

/** Where the part that begins at an index ends. Only the characters of a cue are looked at, however long the text is. */
function nextBorder(text: string, from: number, most: number): Border {
  const whole = { end: text.length, start: text.length, cost: 0 };
  const rest = text.length - from;
  if (rest <= line) return whole;
  const borders = bordersIn(text, from, Math.min(text.length, from + mostOfCue + 2));
  const secondLine = borders.findLast(({ end }) => end - from <= line)?.start ?? from + line;
  if (rest <= most && text.length - secondLine <= line) return whole;
  const target = rest / Math.max(2, Math.ceil(rest / Math.min(most, usualCue)));
  const reached = borders.filter(({ end }) => end - from <= most && end - secondLine <= line);
  return (
    cheapest(reached, ({ end }) => Math.abs(end - from - target)) ?? { ...whole, end: secondLine, start: secondLine }
  );
}

function cheapest(borders: readonly Border[], distance: (border: Border) => number): Border | undefined {
  let best: Border | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const border of borders) {
    const cost = border.cost + distance(border);
    if (cost < least) [best, least] = [border, cost];
  }
  return best;
}

/** The borders within a stretch, never more than a line apart: a longer word is torn. */
function bordersIn(text: string, from: number, to: number): Border[] {
  const borders: Border[] = [];
  let last = from;
  const add = (end: number, start: number, cost: number): void => {
    borders.push({ end, start, cost });
    last = start;
  };
  for (let at = from + 1; at < to; at++) {
    if (text[at] === ' ') add(at, at + 1, costAt(text, at));
    else if (wideMark.test(text[at - 1] ?? '') && !wideClosing.test(text[at] ?? '')) {
      add(at, at, costAt(text, at));
    } else if (at - last >= line) {
      const cut = wholeCharacter(text, at);
      add(cut, cut, costs.torn);
    }
  }
  return borders;
}

/** Characters beside a border that are looked at. */
const word = 20;

function costAt(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - word), at);
  const after = text.slice(at, at + word).trimStart();
  if (endsSentence(before) && !/^\p{Ll}/u.test(after)) return costs.sentence;
  if (clauseEnd.test(before)) return costs.clause;
  const [lastWord = ''] = /[\p{L}']+$/u.exec(before) ?? [];
  const [firstWord = ''] = /^[\p{L}']+/u.exec(after) ?? [];
  if (clinging.has(lastWord.toLowerCase())) return costs.clinging;
  return openers.has(firstWord.toLowerCase()) ? costs.phrase : costs.word;
}

/** The last place up to an index that tears no character: neither a surrogate pair nor what is joined or combined to one. */
function wholeCharacter(text: string, at: number): number {
  for (let cut = at; cut > at - word; cut--) {
    const isInside = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d|[\udc00-\udfff])/u.test(text.slice(cut, cut + 2));
    if (!isInside && text[cut - 1] !== '\u200d') return cut;
  }
  return at;
}

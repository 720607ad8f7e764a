/** Answers to what people ask every day that read as a good model's would, from what is in the files: pictures of them look like a real day. */
import { withoutCodeBlocks } from '../code.ts';
import { comparePieces } from './comparison.ts';
import { answerHarbour } from './harbour.ts';
import { findPieces, type Piece } from './pieces.ts';
import { renameInPieces } from './renaming.ts';

/** The answer to the last of a user's messages; undefined for a question of another kind. */
export function answerDaily(asked: readonly string[]): string | undefined {
  const question = asked.at(-1) ?? '';
  const words = wordsOf(question);
  const pieces = findPieces(question);
  const [, from = '', to = ''] = /\brename `?(\w+)`? to `?(\w+)/i.exec(words) ?? [];
  if (from !== '' && pieces.length > 0) return renameInPieces(pieces, from, to);
  const compared = withoutParts(pieces);
  if (compared.length > 1 && /\b(?:compare|differ|difference|table)\b/i.test(words))
    return comparePieces(named(compared, words));
  const shown = [...asked].reverse().flatMap((each) => findPieces(each).toSorted(partFirst));
  return answerHarbour(words, shown);
}

/** What the person wrote, without the places of what goes along. */
const wordsOf = (question: string): string => withoutCodeBlocks(question).replace(/^From [^\n]*:$/gm, '');

/** Lines of a file that goes along as a whole, too, say nothing new. */
function withoutParts(pieces: readonly Piece[]): readonly Piece[] {
  const whole = new Set(pieces.filter(({ isPart }) => !isPart).map(({ path }) => path));
  return pieces.filter(({ isPart, path }) => !isPart || !whole.has(path));
}

/** Those whose names are in the sentence, where more than one is: the file that is open goes along by itself. */
function named(pieces: readonly Piece[], words: string): readonly Piece[] {
  const meant = pieces.filter(({ path }) => words.includes(path.split('/').at(-1) ?? path));
  return meant.length > 1 ? meant : pieces;
}

/** What a person selected is what they mean. */
const partFirst = (a: Piece, b: Piece): number => Number(b.isPart) - Number(a.isPart);

import type { QueryTerms } from '../queryTerms.ts';
import { fitOf, isSame, stemsOf } from './nameFit.ts';

/** Files that are called like many others: their folder says what they are. */
const general = new Set(
  'index mod main lib init __init__ __main__ package setup core base types utils util helpers common default'.split(
    ' ',
  ),
);
/** The least length at which one word of a path begins another: `arg` stands for `argument` there. */
const leastPrefix = 3;

/**
 * How well the names of a file and of its folder fit a question, from 0 to 1: less where many of the files are called by the same
 * word of it, as `operators/map` among a hundred operators.
 * @param paths those that are compared
 */
export function createPathFit({ words }: QueryTerms, paths: ReadonlySet<string>): (path: string) => number {
  // How rare a word is in texts says little of a file that is called by it: such a file makes its word common.
  const evenly = new Map([...words.keys()].map((word) => [word, 1]));
  const named = new Map<string, number>();
  for (const path of paths) for (const word of new Set(namesIn(path).own)) named.set(word, (named.get(word) ?? 0) + 1);
  const rarity = (word: string): number =>
    Math.log(1 + paths.size / Math.max(1, named.get(word) ?? 0)) / Math.log(1 + paths.size);
  const isAsked = (part: string): boolean => [...words.keys()].some((word) => isSame(part, word, leastPrefix));
  return (path) => {
    const { own, around } = namesIn(path);
    const rarest = Math.max(0, ...own.filter(isAsked).map(rarity));
    return rarest === 0 ? 0 : rarest * fitOf(own, evenly, around, leastPrefix);
  };
}

/** The stems in the name of a file, or of its folder where that says more, and in the name around it. */
function namesIn(path: string): { own: string[]; around: string[] } {
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(/\.[^.]*$/, '');
  const folder = parts.pop() ?? '';
  const isGeneral = general.has(file.toLowerCase());
  return {
    own: wordsOf(isGeneral && folder !== '' ? folder : file),
    around: wordsOf(isGeneral ? (parts.pop() ?? '') : folder),
  };
}

const wordsOf = (name: string): string[] => name.split(/[^\p{L}\p{N}_$]+/u).flatMap(stemsOf);

import type { ExclusionReason } from '../../workspace/exclusions.ts';
import type { WordProblem } from '../store/words.ts';
import type { IndexStoreReason } from '../team/indexStoreError.ts';
import type { Place } from '../types.ts';
import type { QueryFilters } from './filter/queryFilter.ts';
import type { Why } from './ranking.ts';

/** The most hits that a person's question asks for. */
export const queryLimit = 100;

export interface SearchHit {
  root: string;
  /** Path relative to the root, with `/`. */
  path: string;
  /** First line, from 1; both ends are included. */
  startLine: number;
  endLine: number;
  text: string;
  score: number;
  why: Why;
  isWeak: boolean;
  line: number;
  preview: string;
  /** Lines that show why it was found, `line` among them. */
  lines: readonly number[];
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** `keywords`: there are no vectors, or no model. `failed`: the service did not answer, and only keywords were used. */
  by: 'keywords' | 'both' | 'failed';
  /** Why it `failed` although the service answered: the vector of the question has another length than those of the index. */
  fault?: 'length' | undefined;
  /** The model whose vectors the index has, where it has none of the one that is asked: only words could be searched. */
  otherModel?: string | undefined;
  /** Share of the files that meaning can find; absent when it is all of them. */
  indexed?: number;
  /** Where a team's index was asked for what has no vector here: how many hits it found, and why it could not be asked. */
  team?: { readonly hits: number; readonly problem?: IndexStoreReason | undefined };
  /** The stems of the question's words; none where code is searched for. */
  stems?: readonly string[];
  /** Share of the code that was looked through for a phrase or an expression; absent where it is all of it. */
  looked?: number;
  /** A file whose name is the question, and which is left out of the index. */
  leftOut?: { readonly path: string; readonly reason: ExclusionReason };
  /** Why the words of the question cannot be searched for. `none` means that nothing was searched. */
  words?: WordProblem;
}

/** The most of a question that is read, in UTF-16 units; one may have a whole log in it. */
export const mostAsked = 10_000;

/** A question and its filters; operators in the text (queryFilter.ts) narrow it further. */
export interface Query extends QueryFilters {
  text: string;
  limit: number;
  /** The text is code at this place, and similar code is searched for; an empty text stands for the chunk at the place. */
  similarTo?: Place | undefined;
}

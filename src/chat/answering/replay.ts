import { diffArrays } from 'diff';
import type { Answer } from '../conversation/conversation.ts';
import type { ReplayResult } from '../conversation/requestRecord.ts';

/** The longest texts that are compared word by word, in characters. */
const longestCompared = 400_000;
/** The most words that may differ until only that they do is told, and the longest that is shown of one. */
const mostEdits = 1_000;
const longestWord = 60;

/** Words and marks of any language, without the space between them. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Whether an answer ended by itself, and it is known with what all of it was asked for. */
export function canReplay({ state, askedWith, fork }: Answer): boolean {
  return state === 'complete' && askedWith !== undefined && fork === undefined;
}

/**
 * Compares an answer with the one whose request it is a replay of.
 * @param before the first answer
 */
export function compareReplay(before: Answer, after: Answer): ReplayResult {
  const [first, again] = [before.askedWith?.request, after.askedWith?.request];
  const [mark, markAgain] = [before.systemFingerprint, after.systemFingerprint];
  return {
    of: before.id,
    ...compareWords(before.text, after.text),
    isSameRequest: first !== undefined && first === again,
    ...(mark === undefined || markAgain === undefined ? {} : { isSameFingerprint: mark === markAgain }),
  };
}

type ComparedWords = Pick<ReplayResult, 'words' | 'differing' | 'firstWord' | 'hasOtherBlanks'>;

/**
 * How many words of the first text are gone or others, and the first of them; of words that were added, one that follows. Without a
 * number where the texts are too long, or too different, to be compared.
 */
export function compareWords(before: string, after: string): ComparedWords {
  if (before.length > longestCompared || after.length > longestCompared) {
    return before === after ? { differing: 0 } : {};
  }
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const words = old.length;
  const changes = diffArrays(old, fresh, { maxEditLength: mostEdits });
  if (changes === undefined) return { words };
  let differing = 0;
  let firstWord: string | undefined;
  for (let at = 0; at < changes.length; at++) {
    const [change, next] = [changes[at], changes[at + 1]];
    if (change === undefined || !(change.added || change.removed)) continue;
    firstWord ??= change.value[0]?.slice(0, longestWord);
    // Words that stand in the place of others are counted once.
    const isReplaced = next !== undefined && change.removed !== next.removed && (next.added || next.removed);
    differing += isReplaced ? Math.max(change.count, next.count) : change.count;
    if (isReplaced) at++;
  }
  const hasOtherBlanks = differing === 0 && before.trim() !== after.trim();
  return { words, differing, ...(hasOtherBlanks && { hasOtherBlanks }), ...(firstWord !== undefined && { firstWord }) };
}

function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment }) => (segment.trim() === '' ? [] : [segment]));
}

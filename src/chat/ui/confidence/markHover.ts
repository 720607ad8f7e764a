import { env, l10n, Range } from 'vscode';
import { hoverOf, markdownWithCode } from '../../../editor/text/shown.ts';
import type { LineMark } from '../../confidence/marks/lineMarks.ts';
import type { SpelledToken } from '../../confidence/spelledTokens.ts';
import { percentOf } from '../../confidence/wordConfidence.ts';

/** Bounds of a hover: tokens of the word, alternatives of each, and characters of each text. */
const mostTokens = 8;
const mostOthers = 5;
const longestToken = 40;

/** What VS Code shows over a word: how sure the model was, and what it could have written. */
export function markHover({ line, start, end, percent, word }: LineMark) {
  const sentence = l10n.t(
    'The model held this word to be {0} likely. Its tokens, and what could have stood there:',
    told(percent),
  );
  const rows = word.tokens.slice(0, mostTokens).flatMap(rowsOf);
  if (word.tokens.length > mostTokens) rows.push('…');
  return hoverOf(markdownWithCode(sentence, rows.join('\n'), 'text'), new Range(line, start, line, end));
}

function rowsOf({ text, logprob, others }: SpelledToken): string[] {
  const row = (each: string, of: number | undefined): string =>
    `${JSON.stringify(each.slice(0, longestToken))}  ${told(percentOf(of === undefined ? undefined : Math.exp(of)))}`;
  return [row(text, logprob), ...others.slice(0, mostOthers).map((other) => `    ${row(other.text, other.logprob)}`)];
}

function told(percent: number | undefined): string {
  return percent === undefined ? '–' : `${percent.toLocaleString(env.language)} %`;
}

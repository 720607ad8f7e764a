import { env, l10n } from 'vscode';
import type { TokenLogprob } from '../../../../service/chat/completion.ts';
import type { ConfidenceView, TokenView } from '../../../../webview/shared/confidenceProtocol.ts';
import { type SpelledToken, spellTokens } from '../../../confidence/spelledTokens.ts';
import { perplexity, wordsOf } from '../../../confidence/wordConfidence.ts';

/** The most alternatives of a token that are shown. */
const mostOthers = 5;

/** How sure the model was of an answer; a sentence where that cannot be shown. @param text of the answer */
export function confidenceView(text: string, tokens: readonly TokenLogprob[]): ConfidenceView | string {
  if (tokens.length === 0)
    return l10n.t('How sure the model was is known only in the window that asked, until it is reloaded.');
  const spelled = spellTokens(text, tokens);
  if (spelled === undefined) return l10n.t('The probabilities that the service sent are those of another text.');
  const { at, pieces } = spelled;
  const words = wordsOf(pieces);
  const starts: number[] = [];
  let end = at;
  for (const word of words) {
    starts.push(end);
    end += word.text.length;
  }
  return {
    text: text.slice(0, at) + words.map((word) => word.text).join(''),
    starts,
    percents: words.map(({ probability }) => percentOf(probability) ?? null),
    tokens: words.map((word) => JSON.stringify(word.tokens.map(tokenView))),
    perplexity: perplexity(pieces)?.toLocaleString(env.language, { maximumSignificantDigits: 3 }) ?? '–',
  };
}

function tokenView({ text, logprob, others }: SpelledToken): TokenView {
  const likeliest = others.toSorted((a, b) => b.logprob - a.logprob).slice(0, mostOthers);
  return {
    text,
    percent: percentOf(logprob === undefined ? undefined : Math.exp(logprob)),
    others: likeliest.map((other) => [other.text, percentOf(Math.exp(other.logprob)) ?? 0] as const),
  };
}

/** With one digit behind the point. */
function percentOf(probability: number | undefined): number | undefined {
  return probability === undefined ? undefined : Math.round(probability * 1000) / 10;
}

import { env, l10n } from 'vscode';
import type { TokenLogprob } from '../../../service/chat/completion.ts';
import type { ConfidenceView } from '../../../webview/shared/confidenceProtocol.ts';
import { spellTokens } from '../../confidence/spelledTokens.ts';
import { perplexity, wordsOf } from '../../confidence/wordConfidence.ts';

/** The most alternatives of a token that are shown. */
const mostOthers = 5;

/** How sure the model was of an answer; a sentence where that cannot be shown. @param text of the answer */
export function confidenceView(text: string, tokens: readonly TokenLogprob[]): ConfidenceView | string {
  if (tokens.length === 0)
    return l10n.t('How sure the model was is known only in the window that asked, until it is reloaded.');
  const spelled = spellTokens(text, tokens);
  if (spelled === undefined) return l10n.t('The probabilities that the service sent are those of another text.');
  const { at, pieces } = spelled;
  const overall = perplexity(pieces);
  return {
    before: text.slice(0, at),
    perplexity: overall?.toLocaleString(env.language, { maximumSignificantDigits: 3 }) ?? '–',
    words: wordsOf(pieces).map((word) => ({
      text: word.text,
      percent: percentOf(word.probability),
      tokens: word.tokens.map((token) => ({
        text: token.text,
        percent: percentOf(token.logprob === undefined ? undefined : Math.exp(token.logprob)),
        others: token.others
          .toSorted((a, b) => b.logprob - a.logprob)
          .slice(0, mostOthers)
          .map((other) => [other.text, percentOf(Math.exp(other.logprob)) ?? 0] as const),
      })),
    })),
  };
}

/** With one digit behind the point. */
function percentOf(probability: number | undefined): number | undefined {
  return probability === undefined ? undefined : Math.round(probability * 1000) / 10;
}

import { env, l10n } from 'vscode';
import type { TokenLogprob } from '../../../service/chat/completion.ts';
import type { ConfidenceView, TokenView } from '../../../webview/shared/protocol/confidenceProtocol.ts';
import { answerWords } from '../../confidence/answerWords.ts';
import type { SpelledToken } from '../../confidence/spelledTokens.ts';
import { percentOf, perplexity } from '../../confidence/wordConfidence.ts';
import type { Answer } from '../../conversation/conversation.ts';

/** How sure the model was of an answer; a sentence where that cannot be shown. */
export function confidenceView(
  { text, declined }: Pick<Answer, 'text' | 'declined'>,
  tokens: readonly TokenLogprob[],
): ConfidenceView | string {
  if (tokens.length === 0)
    return l10n.t('How sure the model was is known only in the window that asked, until it is reloaded.');
  const spelled = answerWords(text, tokens);
  if (spelled === undefined) return l10n.t('The probabilities that the service sent are those of another text.');
  const { words, pieces } = spelled;
  return {
    text,
    starts: words.map(({ start }) => start),
    percents: words.map(({ probability }) => percentOf(probability) ?? null),
    tokens: words.map((word) => JSON.stringify(word.tokens.map(tokenView))),
    perplexity: perplexity(pieces)?.toLocaleString(env.language, { maximumSignificantDigits: 3 }) ?? '–',
    // The words in which a model declines have a channel of their own, which no request can have go on.
    canFork: declined !== true,
  };
}

function tokenView({ text, logprob, others }: SpelledToken): TokenView {
  return {
    text,
    percent: percentOf(logprob === undefined ? undefined : Math.exp(logprob)),
    others: others.map(({ text: other, logprob: its, noFork }) => {
      const percent = percentOf(Math.exp(its)) ?? 0;
      return noFork === undefined ? [other, percent] : [other, percent, noFork];
    }),
  };
}

import type { ConfidenceView, TokenView } from '../../shared/protocol/confidenceProtocol.ts';

/** An answer's text in parts, words or tokens, with how sure the model was of each. */
export interface SureText extends Pick<ConfidenceView, 'starts' | 'percents'> {
  /** The tokens that a part is made of. */
  tokensAt(index: number): readonly TokenView[];
}

export function textByWords({ starts, percents, tokens }: ConfidenceView): SureText {
  return { starts, percents, tokensAt: (index) => tokensOf(tokens[index]) };
}

/** The tokens of all words are read for it, which takes a moment in a long answer. */
export function textByTokens(view: ConfidenceView): SureText {
  const all: { readonly start: number; readonly token: TokenView }[] = [];
  view.tokens.forEach((word, index) => {
    let start = view.starts[index] ?? 0;
    for (const token of tokensOf(word)) {
      all.push({ start, token });
      start += token.text.length;
    }
  });
  return {
    starts: all.map(({ start }) => start),
    percents: all.map(({ token }) => token.percent ?? null),
    tokensAt: (index) => all.slice(index, index + 1).map(({ token }) => token),
  };
}

function tokensOf(json = '[]'): TokenView[] {
  return JSON.parse(json) as TokenView[];
}

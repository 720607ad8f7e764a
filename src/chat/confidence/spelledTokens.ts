import type { TokenLogprob } from '../../service/chat/completion.ts';

/** A piece of an answer, of one token or of several that share a character, and how sure the model was of it. */
export interface SpelledToken {
  readonly text: string;
  /** Natural logarithm of the probability; undefined where the service told none. */
  readonly logprob: number | undefined;
  /** What the model could have written in its place, with the logarithms; the most likely first. */
  readonly others: readonly { readonly text: string; readonly logprob: number }[];
}

/** The value that services write for “very unlikely”, which says nothing of how unlikely. */
const unknown = -9999;

/**
 * The tokens as they spell an answer's text.
 * @param text of the answer; it may begin with what it goes on from, and lack thoughts and blanks around it
 * @returns the pieces, and where in the text the first of them stands; undefined where the tokens are those of another text
 */
export function spellTokens(
  text: string,
  tokens: readonly TokenLogprob[],
): { readonly at: number; readonly pieces: readonly SpelledToken[] } | undefined {
  const pieces = joinBytes(tokens);
  const spelled = pieces.map((piece) => piece.text).join('');
  if (spelled === '' || text === '') return undefined;
  if (text.endsWith(spelled)) return { at: text.length - spelled.length, pieces };
  const from = spelled.lastIndexOf(text);
  return from < 0 ? undefined : { at: 0, pieces: cut(pieces, from, from + text.length) };
}

/** The pieces of a range of what they spell; those at its borders are cut. */
function cut(pieces: readonly SpelledToken[], from: number, to: number): SpelledToken[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = at;
    at += piece.text.length;
    const text = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...piece, text }];
  });
}

/** Tokens that hold parts of one character become one piece, which is as likely as all of them together. */
function joinBytes(tokens: readonly TokenLogprob[]): SpelledToken[] {
  const pieces: SpelledToken[] = [];
  let open: { readonly bytes: number[]; logprob: number | undefined } | undefined;
  for (const token of tokens) {
    const { bytes, top } = token;
    const logprob = known(token.logprob);
    if (bytes === null || (open === undefined && isWhole(bytes))) {
      if (open !== undefined) pieces.push(pieceOf(open.bytes, open.logprob));
      open = undefined;
      const others = top.filter((other) => other.token !== token.token).map(otherOf);
      pieces.push({ text: bytes === null ? token.token : decode(bytes), logprob, others: others.filter(isTold) });
      continue;
    }
    open ??= { bytes: [], logprob: 0 };
    open.bytes.push(...bytes);
    open.logprob = open.logprob === undefined || logprob === undefined ? undefined : open.logprob + logprob;
    // No character has more than four bytes; what is still none is shown as it is.
    if (!isWhole(open.bytes) && open.bytes.length < mostOpen) continue;
    pieces.push(pieceOf(open.bytes, open.logprob));
    open = undefined;
  }
  return open === undefined ? pieces : [...pieces, pieceOf(open.bytes, open.logprob)];
}

/** Bytes that are waited for a character to become whole. */
const mostOpen = 64;

const pieceOf = (bytes: readonly number[], logprob: number | undefined): SpelledToken => {
  return { text: decode(bytes), logprob, others: [] };
};
const known = (logprob: number): number | undefined => (logprob <= unknown ? undefined : logprob);

function otherOf({ token, bytes, logprob }: TokenLogprob['top'][number]) {
  return { text: bytes !== null && isWhole(bytes) ? decode(bytes) : token, logprob };
}

const isTold = ({ logprob }: { readonly logprob: number }): boolean => logprob > unknown;

const decode = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

function isWhole(bytes: readonly number[]): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

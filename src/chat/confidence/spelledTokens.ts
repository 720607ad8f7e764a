import type { TokenLogprob } from '../../service/chat/completion.ts';
import { placeHidden } from './hiddenPieces.ts';
import { decodeBytes, isWholeText } from './tokenBytes.ts';
import { readTokenNames } from './tokenNames.ts';

/** A piece of an answer, of one token or of several that share a character, and how sure the model was of it. */
export interface SpelledToken {
  readonly text: string;
  /** Natural logarithm of the probability; undefined where the service told none. */
  readonly logprob: number | undefined;
  /** What the model could have written in its place: the most likely first, each text once, 20 at most. */
  readonly others: readonly OtherToken[];
  /** Which of the service's tokens it begins with; undefined for what the service told nothing of. */
  readonly index?: number | undefined;
}

/** What could have stood in the place of a token. */
export interface OtherToken {
  readonly text: string;
  readonly logprob: number;
  /** Why the answer cannot go on from it; undefined where it can. */
  readonly noFork?: NoFork | undefined;
}

/**
 * `part`: the bytes are those of a part of a character. `control`: it is no text but ends the answer or begins a turn.
 * `thoughts`: the token that it is for began in the model's thoughts, which no request can have go on.
 */
export type NoFork = 'part' | 'control' | 'thoughts';

/** The value that services write for “very unlikely”, which says nothing of how unlikely. */
const unknown = -9999;

/** The most alternatives that are read of one token (service-api.md 2.1). */
const mostOthers = 20;

/**
 * The tokens as they spell an answer's text.
 * @param text of the answer; it may begin with what it goes on from, lack thoughts and blanks around it, and go on where the
 * service told nothing more: those words are pieces without a probability
 * @returns the pieces, and where in the text the first of them stands; undefined where the tokens are those of another text
 */
export function spellTokens(
  text: string,
  tokens: readonly TokenLogprob[],
): { readonly at: number; readonly pieces: readonly SpelledToken[] } | undefined {
  const pieces = joinBytes(tokens);
  const placed = placePieces(text, pieces);
  if (placed !== undefined) return placed;
  const named = readTokenNames(tokens);
  return (named && placePieces(text, joinBytes(named))) ?? placeHidden(text, pieces);
}

type Placed = ReturnType<typeof spellTokens>;

function placePieces(text: string, pieces: readonly SpelledToken[]): Placed {
  const spelled = pieces.map((piece) => piece.text).join('');
  if (spelled === '' || text === '') return undefined;
  if (text.endsWith(spelled)) return { at: text.length - spelled.length, pieces };
  const from = spelled.lastIndexOf(text);
  if (from >= 0) return { at: 0, pieces: cut(pieces, from, from + text.length) };
  return text.startsWith(spelled) ? { at: 0, pieces: [...pieces, ...untold(text.slice(spelled.length))] } : undefined;
}

/** The words of a text of which the service told nothing. */
function untold(text: string): SpelledToken[] {
  return (text.match(/\s*\S+|\s+$/g) ?? []).map((word) => ({ text: word, logprob: undefined, others: [] }));
}

/** The pieces of a range of what they spell; those at its borders are cut. */
function cut(pieces: readonly SpelledToken[], from: number, to: number): SpelledToken[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = at;
    at += piece.text.length;
    const text = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (text === '') return [];
    const isBegunBefore = piece.text.slice(0, Math.max(0, from - start)).trim() !== '';
    const others = isBegunBefore
      ? piece.others.map((other): OtherToken => ({ ...other, noFork: 'thoughts' }))
      : piece.others;
    return [{ ...piece, text, others }];
  });
}

/** Tokens that hold parts of one character become one piece, which is as likely as all of them together. */
function joinBytes(tokens: readonly TokenLogprob[]): SpelledToken[] {
  const pieces: SpelledToken[] = [];
  let open: { readonly bytes: number[]; readonly index: number; logprob: number | undefined } | undefined;
  const close = (): void => {
    if (open !== undefined)
      pieces.push({ text: decodeBytes(open.bytes), logprob: open.logprob, others: [], index: open.index });
    open = undefined;
  };
  tokens.forEach((token, index) => {
    const { bytes } = token;
    const logprob = isTold(token) ? token.logprob : undefined;
    if (bytes === null || (open === undefined && isWholeText(bytes))) {
      close();
      const text = bytes === null ? token.token : decodeBytes(bytes);
      pieces.push({ text, logprob, others: othersOf(token, text), index });
      return;
    }
    open ??= { bytes: [], index, logprob: 0 };
    open.bytes.push(...bytes);
    open.logprob = open.logprob === undefined || logprob === undefined ? undefined : open.logprob + logprob;
    // No character has more than four bytes; what is still none is shown as it is.
    if (isWholeText(open.bytes) || open.bytes.length >= mostOpen) close();
  });
  close();
  return pieces;
}

/** Bytes that are waited for a character to become whole. */
const mostOpen = 64;

/** The alternatives to a token: not itself, though services list it among them. */
function othersOf({ token, top }: TokenLogprob, own: string): OtherToken[] {
  const byText = new Map<string, OtherToken>();
  for (const other of top.filter(isTold).toSorted((a, b) => b.logprob - a.logprob)) {
    const read = otherOf(other);
    if (other.token === token || read.text === own || byText.has(read.text)) continue;
    byText.set(read.text, read);
    if (byText.size === mostOthers) break;
  }
  return [...byText.values()];
}

function otherOf({ token, bytes, logprob }: TokenLogprob['top'][number]): OtherToken {
  const isPart = bytes === null ? token.includes('\uFFFD') : !isWholeText(bytes);
  const text = bytes === null || isPart ? token : decodeBytes(bytes);
  const noFork = isPart ? 'part' : isControl(text) || text === '' ? 'control' : undefined;
  // A token that ends the answer has no bytes; its name says what it is.
  return { text: text === '' ? token : text, logprob, ...(noFork && { noFork }) };
}

/** Whether a token is none of a text, by how models name those: `<|im_end|>`, `</s>`, `<end_of_turn>`, `[/INST]`. */
function isControl(text: string): boolean {
  return /^(?:<(?:[|｜].*[|｜]|\/?s|(?:start|end)_of_turn|(?:bos|eos|pad|unk))>|\[(?:\/?INST|EOS|BOS)\])$/.test(
    text.trim(),
  );
}

/** Infinity and what is above 0 are no logarithms of a probability. */
function isTold({ logprob }: { readonly logprob: number }): boolean {
  return logprob > unknown && logprob <= 0;
}

import type { TokenLogprob } from '../../service/chat/completion.ts';
import { decodeBytes } from './tokenBytes.ts';

type Named = Pick<TokenLogprob, 'token' | 'bytes'>;

/**
 * Tokens by what their names mean, where a service gives those of its vocabulary in the place of texts: `<0xE6>` or `bytes:\xe6` for a
 * byte, `Ġsix` for ` six` where each byte has a letter (GPT-2 and those after it), `▁six` for the same (SentencePiece). Undefined where
 * no name is of that kind.
 */
export function readTokenNames(tokens: readonly TokenLogprob[]): TokenLogprob[] | undefined {
  const names = tokens.filter(isByName).map(({ token }) => token);
  const hasLetters = names.some((name) => /[ĠĊ]/.test(name));
  const hasSpaces = names.some((name) => name.startsWith('▁'));
  if (!hasLetters && !hasSpaces && !names.some((name) => bytesOfName(name) !== undefined)) return undefined;
  const read = <Token extends Named>(token: Token): Token => {
    if (!isByName(token)) return token;
    const { token: name } = token;
    const bytes = bytesOfName(name) ?? (hasLetters ? bytesOfLetters(name) : undefined);
    if (bytes !== undefined) return { ...token, bytes };
    return hasSpaces ? { ...token, token: name.replaceAll('▁', ' '), bytes: null } : token;
  };
  return tokens.map((token) => ({ ...read(token), top: token.top.map(read) }));
}

/** Whether a token has no bytes but those of its name. */
function isByName({ token, bytes }: Named): boolean {
  return bytes === null || decodeBytes(bytes) === token;
}

function bytesOfName(name: string): number[] | undefined {
  const [, hex] = /^<0x([\dA-Fa-f]{2})>$/.exec(name) ?? [];
  if (hex !== undefined) return [Number.parseInt(hex, 16)];
  if (!/^bytes:(?:\\x[\da-f]{2})+$/i.test(name)) return undefined;
  return Array.from(name.matchAll(/\\x(..)/g), ([, byte = '']) => Number.parseInt(byte, 16));
}

/** The letters that stand for bytes: themselves where they can be seen, the others from U+0100 on. */
const byLetter = new Map<string, number>();
for (let byte = 0, next = 0x100; byte < 256; byte++) {
  const isSeen = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  byLetter.set(String.fromCharCode(isSeen ? byte : next++), byte);
}

/** Undefined for a name with other letters: that is a text. */
function bytesOfLetters(name: string): number[] | undefined {
  const bytes = Array.from(name, (letter) => byLetter.get(letter));
  return bytes.every((byte) => byte !== undefined) ? bytes : undefined;
}

/** A piece of an answer, of which the text may be that of a part of a character. */
interface HeldPiece<Other> {
  readonly text: string;
  readonly logprob: number | undefined;
  readonly others: readonly Other[];
  readonly index?: number | undefined;
}

/** What services write for a part of a character. */
const part = '\uFFFD';
/** The most characters and parts of pieces in a row whose text is not known. */
const mostHidden = 200;

/**
 * The pieces of a text where some of them hold parts of characters that the service did not give: it wrote U+FFFD, or nothing, for each
 * part (vLLM and llama-cpp-python do). What such pieces stand for is what is left between the others, as long as those spell the rest.
 * @returns as `spellTokens`
 */
export function placeHidden<Other extends object>(
  text: string,
  pieces: readonly HeldPiece<Other>[],
): { readonly at: number; readonly pieces: readonly HeldPiece<Other>[] } | undefined {
  if (!pieces.some(isHidden)) return undefined;
  const placed: HeldPiece<Other>[] = [];
  let end = text.length;
  for (let index = pieces.length - 1; index >= 0 && end > 0; index--) {
    const piece = pieces[index];
    if (piece === undefined) break;
    if (isHidden(piece)) {
      let first = index;
      while (first > 0 && isHidden(pieces[first - 1])) first--;
      const run = pieces.slice(first, index + 1);
      const start = startOfRun(text.slice(0, end), run, pieces[first - 1]?.text ?? '');
      if (start === undefined) return undefined;
      if (start < end) placed.push(joined(run, text.slice(start, end)));
      [end, index] = [start, first];
    } else if (text.startsWith(piece.text, end - piece.text.length)) {
      placed.push(piece);
      end -= piece.text.length;
    } else if (piece.text.length > end && piece.text.endsWith(text.slice(0, end))) {
      // The rest of it is of the model's thoughts, from which no request can have it go on.
      const others = piece.others.map((other) => ({ ...other, noFork: 'thoughts' as const }));
      placed.push({ ...piece, text: text.slice(0, end), others });
      end = 0;
    } else if (placed.length > 0 || !/^\s*$|^<[^\s<>]{1,40}>$/.test(piece.text)) return undefined;
  }
  return placed.length === 0 ? undefined : { at: end, pieces: placed.reverse() };
}

function isHidden(piece: Pick<HeldPiece<unknown>, 'text'> | undefined): boolean {
  return piece !== undefined && (piece.text === '' || piece.text.includes(part));
}

/**
 * Where the text of some pieces in a row begins, at whose end a text ends; the nearest place to it, where there are several.
 * @param before what stands before them
 */
function startOfRun(
  text: string,
  run: readonly Pick<HeldPiece<unknown>, 'text'>[],
  before: string,
): number | undefined {
  const symbols = run.flatMap((piece) => (piece.text === '' ? [part] : Array.from(piece.text)));
  if (symbols.length > mostHidden) return undefined;
  let starts = new Set([text.length]);
  for (const symbol of symbols.reverse()) {
    const further = new Set<number>();
    for (const at of starts) {
      const letter = symbol === part ? letterBefore(text, at) : symbol;
      if (symbol === part) further.add(at);
      if (letter !== '' && text.startsWith(letter, at - letter.length)) further.add(at - letter.length);
    }
    starts = further;
  }
  const isAllEmpty = run.every((piece) => piece.text === '');
  return [...starts].sort((a, b) => b - a).find((at) => (isAllEmpty || at < text.length) && endsAt(text, before, at));
}

/** The character that ends at a place; '' for none, and for one of ASCII, of which there are no parts. */
function letterBefore(text: string, at: number): string {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 2), at));
  const letter = text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
  return letter > '\x7f' ? letter : '';
}

/** Whether a piece ends at a place of a text, or the text before that place is the end of the piece. */
function endsAt(text: string, piece: string, at: number): boolean {
  return piece.length <= at ? text.endsWith(piece, at) : piece.endsWith(text.slice(0, at));
}

/** Several pieces as one, which is as likely as all of them together. */
function joined<Other>(run: readonly HeldPiece<Other>[], text: string): HeldPiece<Other> {
  const sum = run.reduce<number | undefined>(
    (all, { logprob }) => (all === undefined || logprob === undefined ? undefined : all + logprob),
    0,
  );
  return { text, logprob: sum, others: [], index: run[0]?.index };
}

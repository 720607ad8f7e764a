/** Characters of a piece; it is not much longer. */
const pieceLength = 64 * 1024;

/**
 * A value as JSON text, in pieces: to write it all at once would hold everything else up where an answer has megabytes.
 * @param value what JSON can say; members that are undefined are left out
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let gathered = '';
  for (const part of parts(value)) {
    gathered += part;
    if (gathered.length < pieceLength) continue;
    yield gathered;
    gathered = '';
  }
  yield gathered;
}

function* parts(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > pieceLength) {
    yield '"';
    // Halves of a character are escaped, and become one again when they are read.
    for (let at = 0; at < value.length; at += pieceLength) {
      yield JSON.stringify(value.slice(at, at + pieceLength)).slice(1, -1);
    }
    yield '"';
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* parts(item ?? null);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let between = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${between}${JSON.stringify(name)}:`;
      yield* parts(member);
      between = ',';
    }
    yield between === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

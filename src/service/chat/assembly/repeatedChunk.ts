/** A chunk that, but for its text, is like the ones before it. */
export interface RepeatedChunk {
  /** The content of a chunk that is like the learned one but for its content; undefined when it is not. */
  read(data: string): string | undefined;
  /** Learns from a chunk that was parsed, and holds nothing but content. False when it stays with what it knows. */
  learn(data: string): boolean;
}

/** Chunks in a row that may be learned in vain: a service that changes more than the content is not tried for ever. */
const maxMisses = 8;
const contentStart = /"content":\s?"/g;
/** A marker that no text contains by chance. */
const marker = 'parley-9d1f6c3e';

/**
 * Most chunks of a stream are the same JSON text around another content. Those are read without parsing, which makes a
 * stream half again as fast: what stands between the same two halves, and is the inside of a JSON string, is the content.
 * @param contentOf the content of a parsed chunk, where its place is the usual one
 */
export function createRepeatedChunk(contentOf: (chunk: unknown) => unknown): RepeatedChunk {
  let before = '';
  let after = '';
  let misses = 0;
  return {
    read(data) {
      if (before === '' || data.length < before.length + after.length) return undefined;
      if (!data.startsWith(before) || !data.endsWith(after)) return undefined;
      const text = insideOfString(data.slice(before.length, data.length - after.length));
      if (text !== undefined) misses = 0;
      return text;
    },
    learn(data) {
      // A line end in the data means that it was joined from several lines.
      if (misses >= maxMisses || data.includes('\n')) return false;
      misses++;
      before = '';
      const [start, ...others] = data.matchAll(contentStart);
      if (start === undefined || others.length > 0) return false;
      const from = start.index + start[0].length;
      const to = endOfString(data, from);
      const halves: [string, string] = [data.slice(0, from), data.slice(to)];
      // The only content in the text may belong to something else than the answer.
      if (contentOf(JSON.parse(halves.join(marker))) !== marker) return false;
      [before, after] = halves;
      return true;
    },
  };
}

/** Where the JSON string ends that `from` is in. */
function endOfString(data: string, from: number): number {
  let at = from;
  while (at < data.length && data[at] !== '"') at += data[at] === '\\' ? 2 : 1;
  return at;
}

/** The text that stands inside a JSON string; undefined when it would not be one string, or none at all. */
function insideOfString(inner: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them
  if (!/["\\\u0000-\u001f]/.test(inner)) return inner;
  try {
    return JSON.parse(`"${inner}"`);
  } catch {
    return undefined;
  }
}

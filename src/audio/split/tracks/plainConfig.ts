import { bytesOf } from '../container.ts';

/** What a comment of Vorbis has at least: its head, no name, no entries, and the bit that ends it (Vorbis I, 5.2). */
const emptyComment = Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1');
/** The head of an Opus stream is all that a decoder needs; of AAC it is some bytes. */
const longestPlain = 1_024;

/**
 * What a decoder is told, without what is none of its business: the comment of Vorbis, which may hold a cover, is one of its three
 * headers, and would go into each piece.
 */
export function plainConfig(config: AudioDecoderConfig): AudioDecoderConfig {
  if (config.description === undefined) return config;
  const bytes = bytesOf(config.description);
  if (config.codec !== 'vorbis') {
    return bytes.length <= longestPlain ? config : { ...config, description: bytes.subarray(0, longestPlain) };
  }
  const headers = readHeaders(bytes);
  if (headers === undefined) return config;
  const [first, , setup] = headers;
  // Both of the first two are shorter than 255 bytes, so that each length is one byte.
  if (first.length >= 255) return config;
  const lengths = Buffer.from([2, first.length, emptyComment.length]);
  return { ...config, description: Buffer.concat([lengths, first, emptyComment, setup]) };
}

/** The three headers of Vorbis as Matroska has them: their number less one, the lengths of the first two by 255, then all of them. */
function readHeaders(bytes: Buffer): [Buffer, Buffer, Buffer] | undefined {
  if (bytes[0] !== 2) return undefined;
  let at = 1;
  const lengths = [0, 1].map(() => {
    let sum = 0;
    for (; bytes[at] === 255; at++) sum += 255;
    return sum + (bytes[at++] ?? 0);
  });
  const [first = 0, second = 0] = lengths;
  if (at + first + second > bytes.length) return undefined;
  return [
    bytes.subarray(at, at + first),
    bytes.subarray(at + first, at + first + second),
    bytes.subarray(at + first + second),
  ];
}

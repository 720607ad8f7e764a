import { ServiceError } from '../../base/errors.ts';

/** Bytes of a request beside the recording: the other fields of the form, of which the prompt is the longest. */
export const envelopeBytes = 64 * 1024;
/** A service that refuses so small a request, in bytes, refuses something else. */
const leastLimit = 256 * 1024;

/** The largest request that a service takes, as far as that is known. */
export interface UploadLimit {
  /** Of the whole request, in bytes. */
  readonly bytes: number;
  /** The same where the service has refused more than that before, and more is set; undefined where it is what is set. */
  readonly learned?: number | undefined;
  /** Takes in that a service refused more than this. */
  learn(bytes: number): void;
}

/**
 * The largest request that a service may take after it has refused one, in bytes; undefined where the refusal is not about its
 * size, or nothing smaller is worth a try. Services count the whole request, and many name their limit.
 * @param sent size of the request that was refused, in bytes
 */
export function limitAfter(error: unknown, sent: number): number | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'too-large' || error.param === 'recording') return undefined;
  const limit = limitIn(error.message ?? '', sent) ?? Math.floor(sent / 2);
  return limit < leastLimit ? undefined : limit;
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** A service that names a smaller limit than this, in bytes, means something else. */
const leastNamed = 1_000_000;

/** A limit is said before a size, with no other number in between, or right after it. */
const limitBefore =
  /\b(?:limit(?:ed)?|max(?:imum)?|at most|up to|allow(?:s|ed)|accepts|exceed(?:s|ed|ing)?|(?:larger|bigger|greater|more|longer) than|(?:smaller|less) than|under|below)\b[^\d.;!?]{0,30}$/i;
const limitAfterwards = /^\s{0,2}(?:limit|max(?:imum)?)\b/i;
/** Of a number without a unit, only what stands right before it tells that it is one of bytes. */
const limitRightBefore = /\b(?:limit|max(?:imum)?|size)\b\W{0,3}$/i;

/**
 * The limit that a sentence names, such as “(26214400) exceeded (26306794 bytes read)” or “larger than 25 MB”: the least size that it
 * calls a limit, and that may be one. Numbers of anything else (an id, a status, what was sent) are none.
 * @param sent size of the request that was refused, in bytes
 */
export function limitIn(message: string, sent: number): number | undefined {
  const sizes: number[] = [];
  const text = message.slice(0, 2_000);
  let end = 0;
  for (const match of text.matchAll(
    /(?<![\w.-])(\d{1,12}(?:\.\d{1,3})?)(?:\s?([kmg])i?b|\s?(bytes?))?(?![\w-]|\.\d)/gi,
  )) {
    const [all, number = '', unit = '', inBytes] = match;
    const before = text.slice(Math.max(end, match.index - 60), match.index);
    end = match.index + all.length;
    const hasUnit = unit !== '' || inBytes !== undefined;
    const isLimit = hasUnit
      ? limitBefore.test(before) || limitAfterwards.test(text.slice(end, end + 12))
      : limitRightBefore.test(before);
    const bytes = Math.floor(Number(number) * (units[unit.toLowerCase()] ?? 1));
    if (isLimit && bytes >= leastNamed && bytes < sent) sizes.push(bytes);
  }
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** A whole recording of fewer bytes is not cut for a connection that broke. */
const leastCutOff = 1_000_000;

/**
 * Whether a connection broke while a recording was sent, as where a proxy on the way takes no request this large: it may come through in
 * pieces. @param sent bytes that the network took of them
 */
export function isCutOff(error: unknown, sent: number, size: number): boolean {
  return error instanceof ServiceError && error.kind === 'reset' && sent < size && size >= leastCutOff;
}

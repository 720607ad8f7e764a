import { ServiceError } from '../../base/errors.ts';

/** Bytes of a request beside the recording: the other fields of the form, of which the prompt is the longest. */
export const envelopeBytes = 64 * 1024;
/** A service that refuses so small a request, in bytes, refuses something else. */
const leastLimit = 256 * 1024;

/**
 * The largest request that a service may take after it has refused one, in bytes; undefined where the refusal is not about its
 * size, or nothing smaller is worth a try. Services count the whole request, and many name their limit.
 * @param sent size of the request that was refused, in bytes
 */
export function limitAfter(error: unknown, sent: number): number | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'too-large' || error.param === 'recording') return undefined;
  const named = limitIn(error.message ?? '');
  const limit = named !== undefined && named < sent ? named : Math.floor(sent / 2);
  return limit < leastLimit ? undefined : limit;
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/**
 * The limit that a sentence names, such as “(26214400) exceeded (26306794 bytes read)” or “larger than 25 MB”: the least size in it,
 * as the other is what was sent. A number without a unit counts from a hundred thousand on, where it is no status or code; digits of an id, which stand
 * among letters, are none.
 */
export function limitIn(message: string): number | undefined {
  const sizes: number[] = [];
  for (const [, number = '', unit = ''] of message
    .slice(0, 2_000)
    .matchAll(/(?<![\w.-])(\d{1,12}(?:\.\d{1,3})?)(?:\s?([kmg])i?b|\s?bytes?)?(?![\w-]|\.\d)/gi)) {
    const bytes = Number(number) * (units[unit.toLowerCase()] ?? 1);
    if (unit !== '' || bytes >= 100_000) sizes.push(Math.floor(bytes));
  }
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

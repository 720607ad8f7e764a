import { ServiceError } from '../../../base/errors.ts';
import type { ChatEvent } from '../completion.ts';

/** The events of an answer, up to a length. */
export interface BoundedEvents {
  /** Events that were not passed on yet; whoever reads them empties it. */
  readonly ready: ChatEvent[];
  /** Characters that have arrived, of all text, thoughts and arguments together. */
  readonly length: number;
  add(event: ChatEvent): void;
}

/** @param fail takes the error of an event that passes the limit, once the part of its text that fits is in */
export function createBoundedEvents(
  maxLength: number,
  url: string,
  fail: (error: ServiceError) => never,
): BoundedEvents {
  const ready: ChatEvent[] = [];
  let length = 0;

  return {
    ready,
    get length() {
      return length;
    },
    add(event) {
      const left = maxLength - length;
      length += lengthOf(event);
      if (length > maxLength) {
        if ('text' in event && left > 0) ready.push({ ...event, text: event.text.slice(0, left) });
        fail(new ServiceError('answer-too-long', { url, hint: String(maxLength / 2 ** 20) }));
      }
      ready.push(event);
    },
  };
}

function lengthOf(event: ChatEvent): number {
  if (event.type === 'replace') return 0;
  // In bytes: of most letters that are not Latin a character takes two or three.
  if ('text' in event) return Buffer.byteLength(event.text);
  if (event.type === 'tool-call-delta') return event.arguments.length;
  // Each log-probability takes at least two numbers and a text.
  return event.type === 'logprobs' ? event.content.length * 16 : 0;
}

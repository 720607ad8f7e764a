import type { CorpusCase, Expected } from './case.ts';

/** A chunk of a stream, as most services write it. */
export function chunk(
  delta: unknown,
  more: Record<string, unknown> = {},
  choice: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1763683200,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...more,
  });
}

export const word = (content: string, more?: Record<string, unknown>): string => chunk({ content }, more);
export const finish = (reason = 'stop', more?: Record<string, unknown>): string =>
  chunk({}, more, { finish_reason: reason });
export const done = '[DONE]';

/** Server events, one for each text. */
export function events(...data: string[]): string {
  return data.map((each) => `data: ${each}\n\n`).join('');
}

/** One whole answer. */
export function answer(
  message: unknown,
  more: Record<string, unknown> = {},
  choice: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1763683200,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop', ...choice }],
    ...more,
  });
}

/** A case of a stream that is whole, and says `Hello` unless it expects something else. */
export function sound(
  name: string,
  quirks: readonly number[],
  body: CorpusCase['body'],
  expected: Partial<Extract<Expected, { ok: true }>> = {},
  more: Partial<CorpusCase> = {},
): CorpusCase {
  return {
    name,
    quirks,
    operation: 'chat',
    stream: true,
    body,
    expected: { ok: true, text: 'Hello', ...expected },
    ...more,
  };
}

/** A case of a stream that is not whole, and had said `Hel` unless it expects something else. */
export function broken(
  name: string,
  quirks: readonly number[],
  body: CorpusCase['body'],
  expected: Omit<Extract<Expected, { ok: false }>, 'ok'>,
  more: Partial<CorpusCase> = {},
): CorpusCase {
  return {
    name,
    quirks,
    operation: 'chat',
    stream: true,
    body,
    expected: { ok: false, partial: 'Hel', ...expected },
    ...more,
  };
}

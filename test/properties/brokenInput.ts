import fc from 'fast-check';
import { validStream } from './validStream.ts';

/** Values that a reader of JSON may stumble over, wherever they stand. */
const trap: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 1, 127, 128, 1e9, 2 ** 53, 1e308, -0.5],
  ...['', 'x', 'stop', 'NaN', '0', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '\ud800', '\0', '§deep'],
  ...['{"a":1}', '{"error":{"message":"inner"}}', 'data: x\n\n', '<think>', '</think>', '<html>', 'sk-bench-0000'],
  ...[
    [],
    [[]],
    [null],
    {},
    { text: 'x' },
    [{ type: 'text', text: 'y' }],
    [{ text: {} }],
    { message: { detail: [{}] } },
  ],
  ...[
    { message: 'm', code: 429 },
    [{ error: 'e' }],
    { a: { b: { c: '§deep' } } },
    ['§deep'],
    { '§proto': { polluted: 1 } },
  ],
);

/** An object with some of the members; each is a trap or what is expected there. */
function someOf(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fc.record(members, { requiredKeys: [] }) }, { weight: 1, arbitrary: trap });
}
const listOf = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.array(item, { maxLength: 3 }) }, { weight: 1, arbitrary: trap });

const calledFunction = someOf({ name: trap, arguments: trap });
const message = someOf({
  role: trap,
  content: trap,
  reasoning_content: trap,
  refusal: trap,
  tool_calls: listOf(someOf({ index: trap, id: trap, type: trap, function: calledFunction })),
  function_call: calledFunction,
});
const choice = someOf({
  index: trap,
  finish_reason: trap,
  delta: message,
  message,
  text: trap,
  logprobs: someOf({
    content: listOf(someOf({ token: trap, logprob: trap, bytes: trap, top_logprobs: listOf(trap) })),
  }),
});
const usage = someOf({ prompt_tokens: trap, completion_tokens: trap, total_time: trap });
const errorMembers = {
  error: someOf({ message: trap, type: trap, code: trap, param: trap }),
  message: trap,
  detail: trap,
};
const payload = someOf({
  ...errorMembers,
  choices: listOf(choice),
  usage,
  x_groq: someOf({ usage, error: trap }),
  id: trap,
  created: trap,
  model: trap,
  system_fingerprint: trap,
  object: trap,
  done: trap,
});

const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const [shallow, deep] = [nested(100), nested(20_000)];

/** JSON text; what no object literal can hold is put in afterwards: the name `__proto__`, and nested brackets. */
function toText(value: unknown, brackets = shallow): string {
  return JSON.stringify(value).replaceAll('§proto', '__proto__').replaceAll('"§deep"', brackets);
}

/** A body of payloads that no service should send: as events, as lines, or the first of them alone. */
const trappedBody = fc
  .tuple(fc.array(payload, { minLength: 1, maxLength: 4 }), fc.nat(5), fc.nat(50))
  .map(([payloads, form, rarely]) => {
    const texts = payloads.map((each) => toText(each, rarely === 50 ? deep : shallow));
    if (form === 0) return Buffer.from(texts[0] ?? '');
    if (form === 1) return Buffer.from(texts.join('\n'));
    const events = texts.map((text) => `${form === 2 ? 'event: error\n' : ''}data: ${text}\n\n`);
    return Buffer.from(`${events.join('')}${form === 3 ? 'data: [DONE]\n\n' : ''}`);
  });

const snippets = [
  ...[
    '\0',
    '\x1b[2J',
    '\r',
    '\n',
    '\n\n',
    '\ufeff',
    'data:',
    'data: [DONE]\n\n',
    'error: {"message":"x"}\n\n',
    '}',
    '{',
    '"',
  ],
  ...['<!doctype html><title>x', 'data: {"choices":[{"index":1e9}]}\n\n', 'data: {"error":null}\n\n', '\\ud83d', ','],
];
const mutation = fc.tuple(fc.nat(4), fc.nat(), fc.nat(40), fc.nat(snippets.length - 1));

/** A valid stream with pieces taken out, doubled, put in, overwritten or cut off. */
const mutatedStream = fc
  .tuple(validStream, fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([{ bytes }, mutations]) => mutations.reduce(mutate, bytes));

function mutate(bytes: Uint8Array, [kind, where, length, snippet]: [number, number, number, number]): Uint8Array {
  const at = bytes.length === 0 ? 0 : where % bytes.length;
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
  if (kind === 0) return before;
  if (kind === 1) return Buffer.concat([before, after]);
  if (kind === 2) return Buffer.concat([before, piece, piece, after]);
  const put = Buffer.from(snippets[snippet] ?? '');
  return Buffer.concat(kind === 3 ? [before, put, piece, after] : [before, put, after]);
}

const noise = fc.uint8Array({ maxLength: 60 });

/** Any body: noise, a stream that was damaged, or one full of traps. */
export const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 1, arbitrary: noise },
  { weight: 4, arbitrary: mutatedStream },
  { weight: 4, arbitrary: trappedBody },
);

const errorText = fc.oneof(
  someOf({ ...errorMembers, errors: listOf(trap), title: trap, object: trap, code: trap }).map((value) =>
    toText(value),
  ),
  noise.map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('', '<html><title>502', '404 page not found', '"text"', 'null', '[[[[[[{"error":1}]]]]]]'),
);
export const errorAnswer: fc.Arbitrary<{ status: number; headers: Record<string, string>; body: string }> = fc.record({
  status: fc.constantFrom(
    200,
    300,
    302,
    400,
    401,
    402,
    403,
    404,
    407,
    408,
    409,
    413,
    422,
    429,
    498,
    500,
    502,
    503,
    529,
    999,
  ),
  headers: fc.dictionary(
    fc.constantFrom(
      'retry-after',
      'retry-after-ms',
      'x-request-id',
      'cf-ray',
      'content-type',
      'x-ratelimit-reset-tokens',
    ),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e999',
      'Fri, 31 Dec 1999 23:59:59 GMT',
      '2m59.56s',
      'x'.repeat(2000),
      'sk-bench-0000',
    ),
    { maxKeys: 3 },
  ),
  body: errorText,
});

const vector = fc.oneof(
  fc.array(fc.constantFrom<unknown>(0, 1, -0.25, 1e39, null, '1', -0), { maxLength: 3 }),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  trap,
);
export const embeddingsAnswer: fc.Arbitrary<{ inputs: number; body: Uint8Array }> = fc.record({
  inputs: fc.integer({ min: 1, max: 3 }),
  body: fc
    .oneof(
      {
        weight: 6,
        arbitrary: someOf({ ...errorMembers, data: listOf(someOf({ index: fc.nat(2), embedding: vector })), usage }),
      },
      { weight: 1, arbitrary: trap },
    )
    .map((value) => Buffer.from(toText(value))),
});

/** Where a body is cut into packets: after every byte, or at some places. */
export const cuts: fc.Arbitrary<'everywhere' | number[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('everywhere' as const) },
  { weight: 5, arbitrary: fc.array(fc.nat(), { maxLength: 6 }) },
);

export function cut(bytes: Uint8Array, at: 'everywhere' | readonly number[]): Uint8Array[] {
  if (at === 'everywhere') return Array.from(bytes, (byte) => Uint8Array.of(byte));
  const places = at.map((place) => (bytes.length === 0 ? 0 : place % bytes.length)).sort((a, b) => a - b);
  return [...places, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : places[i - 1], end));
}

import type { CorpusCase } from './case.ts';

/** Numbers that a float32 holds exactly, so that every client can be compared to the bit. */
const first = [0.5, -0.25, 0.125];
const second = [-0.75, 1, 0];
const third = [0, 0.0625, -0.5];
const texts = ['open a file', 'draw a button', 'retry a request'];
const inOrder = { ok: true, vectors: [first, second, third] } as const;
const malformed = { ok: false, kind: 'malformed' } as const;

interface Item {
  index?: unknown;
  embedding: unknown;
}
const item = (index: unknown, embedding: unknown): Item => ({ index, embedding });
const straight = [item(0, first), item(1, second), item(2, third)];

/** An answer as service-api.md 2.10 has it. */
function answer(data: readonly Item[] | null, more: Record<string, unknown> = {}): string {
  const items = data?.map((each) => ({ object: 'embedding', ...each })) ?? data;
  const usage = { prompt_tokens: 9, total_tokens: 9 };
  return JSON.stringify({ object: 'list', model: 'parley-embed', data: items, usage, ...more });
}

/** Little-endian float32 in base64; `bytes` more after them. */
function base64(vector: readonly number[], bytes = 0): string {
  const buffer = Buffer.alloc(vector.length * 4 + bytes);
  for (const [i, value] of vector.entries()) buffer.writeFloatLE(value, i * 4);
  return buffer.toString('base64');
}

type Case = Omit<CorpusCase, 'operation' | 'inputs'> & Partial<Pick<CorpusCase, 'inputs'>>;

const cases: readonly Case[] = [
  { name: 'floats in order', quirks: [45], body: answer(straight), expected: inOrder },
  {
    name: 'one text, one vector',
    quirks: [45],
    inputs: ['open a file'],
    body: answer([item(0, first)]),
    expected: { ok: true, vectors: [first] },
  },
  {
    name: 'vectors out of order',
    quirks: [45],
    body: answer([item(2, third), item(0, first), item(1, second)]),
    expected: inOrder,
  },
  {
    name: 'base64 although floats were asked for',
    quirks: [45],
    body: answer([item(0, base64(first)), item(1, base64(second)), item(2, base64(third))]),
    expected: inOrder,
  },
  {
    name: 'base64 without its padding, out of order',
    quirks: [45],
    body: answer([item(1, base64(second).replace(/=/g, '')), item(2, base64(third)), item(0, base64(first))]),
    expected: inOrder,
  },
  {
    name: 'floats and base64 in one answer',
    quirks: [45],
    body: answer([item(0, base64(first)), item(1, second), item(2, third)]),
    expected: inOrder,
  },
  {
    name: 'no index at all',
    quirks: [45],
    body: answer(straight.map(({ embedding }) => ({ embedding }))),
    expected: inOrder,
  },
  {
    name: 'every index null',
    quirks: [45],
    body: answer(straight.map(({ embedding }) => item(null, embedding))),
    expected: inOrder,
  },
  {
    name: 'indexes that go on from another request',
    quirks: [45],
    body: answer([item(7, third), item(5, first), item(6, second)]),
    expected: inOrder,
  },
  {
    name: 'every index the same',
    quirks: [45],
    body: answer(straight.map(({ embedding }) => item(0, embedding))),
    expected: inOrder,
  },
  {
    name: 'members nobody knows',
    quirks: [45],
    body: answer(
      straight.map((each) => ({ ...each, truncated: false })),
      { id: 'emb-1', created: 1, x_groq: null },
    ),
    expected: inOrder,
  },
  {
    name: 'usage missing',
    quirks: [45],
    body: answer(straight, { usage: undefined }),
    expected: { ...inOrder, usage: 'unknown' },
  },
  {
    name: 'usage null',
    quirks: [45],
    body: answer(straight, { usage: null }),
    expected: { ...inOrder, usage: 'unknown' },
  },
  { name: 'body in pieces of seven bytes', quirks: [45], body: inPieces(answer(straight), 7), expected: inOrder },
  {
    name: 'the same index twice',
    quirks: [45],
    body: answer([item(0, first), item(1, second), item(1, third)]),
    expected: malformed,
  },
  {
    name: 'an index beyond the texts',
    quirks: [45],
    body: answer([item(0, first), item(1, second), item(7, third)]),
    expected: malformed,
  },
  {
    name: 'one of the indexes missing',
    quirks: [45],
    body: answer([item(1, second), { embedding: first }, item(2, third)]),
    expected: malformed,
  },
  { name: 'too few vectors', quirks: [45], body: answer(straight.slice(0, 2)), expected: malformed },
  { name: 'too many vectors', quirks: [45], body: answer([...straight, item(3, first)]), expected: malformed },
  { name: 'no vectors', quirks: [45], body: answer([]), expected: malformed },
  { name: 'data is null', quirks: [45], body: answer(null), expected: malformed },
  {
    name: 'vectors of unequal length',
    quirks: [45],
    body: answer([item(0, first), item(1, [1, 2]), item(2, third)]),
    expected: malformed,
  },
  {
    name: 'null in a vector',
    quirks: [45],
    body: answer([item(0, first), item(1, [0.5, null, 1]), item(2, third)]),
    expected: malformed,
  },
  {
    name: 'NaN in a vector, as Python writes it',
    quirks: [45],
    body: answer(straight).replace('0.125', 'NaN'),
    expected: malformed,
  },
  {
    name: 'a number too large for any float',
    quirks: [45],
    body: answer(straight).replace('0.125', '1e999'),
    expected: malformed,
  },
  {
    name: 'NaN in base64',
    quirks: [45],
    body: answer([item(0, base64([0.5, Number.NaN, 1])), item(1, base64(second)), item(2, base64(third))]),
    expected: malformed,
  },
  {
    name: 'a vector of zeros',
    quirks: [45],
    body: answer([item(0, first), item(1, [0, 0, 0]), item(2, third)]),
    expected: malformed,
  },
  {
    name: 'an empty vector',
    quirks: [45],
    body: answer([item(0, first), item(1, []), item(2, third)]),
    expected: malformed,
  },
  {
    name: 'base64 that is no row of floats',
    quirks: [45],
    body: answer([item(0, base64(first, 2)), item(1, base64(second, 2)), item(2, base64(third, 2))]),
    expected: malformed,
  },
  {
    name: 'words in the place of a vector',
    quirks: [45],
    body: answer([item(0, first), item(1, 'not available'), item(2, third)]),
    expected: malformed,
  },
  {
    name: 'an item without its vector',
    quirks: [45],
    body: answer([...straight.slice(0, 2), item(2, undefined)]),
    expected: malformed,
  },
  {
    name: 'an error with status 200',
    quirks: [27, 28],
    body: '{"error":{"message":"The embedding backend is gone.","type":"server_error"}}',
    expected: { ok: false, kind: 'server', says: 'The embedding backend is gone.' },
  },
  {
    name: 'an error as a flat object with status 200',
    quirks: [27, 28],
    body: '{"object":"error","message":"The embedding backend is gone.","type":"server_error"}',
    expected: { ok: false, kind: 'server', says: 'The embedding backend is gone.' },
  },
  {
    name: 'a web page with status 200',
    quirks: [10],
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><html><head><title>Sign in</title></head><body></body></html>',
    expected: { ok: false, kind: 'login-page' },
  },
  {
    name: 'a batch that is too large, as a 400 says it',
    quirks: [46],
    status: 400,
    body: '{"error":{"message":"Too many inputs: at most 2 per request.","type":"invalid_request_error","param":"input"}}',
    expected: { ok: false, kind: 'bad-request', says: 'at most 2 per request' },
  },
  {
    name: 'a batch that is too large, as a 413 says it',
    quirks: [46],
    status: 413,
    body: '{"error":"batch size 3 > maximum allowed batch size 2","error_type":"Validation"}',
    expected: { ok: false, kind: 'too-large', says: 'maximum allowed batch size 2' },
  },
  {
    name: 'a batch that is too large, as a 422 says it',
    quirks: [46, 27],
    status: 422,
    body: '{"detail":[{"loc":["body","input"],"msg":"List should have at most 2 items","type":"too_long"}]}',
    expected: { ok: false, kind: 'bad-request', says: 'at most 2 items' },
  },
  {
    name: 'half an answer, then the connection is gone',
    body: answer(straight).slice(0, 90),
    ending: 'cut',
    expected: { ok: false, kind: 'reset' },
  },
  { name: 'an empty body with status 200', body: '', expected: malformed },
];

/** Answers to a request for embeddings, sound and broken. */
export const embeddingCases: readonly CorpusCase[] = cases.map((each) => ({
  operation: 'embeddings',
  inputs: texts,
  ...each,
}));

function inPieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { errorFromAnswer, readErrorBody } from '../../src/service/errorBody.ts';
import { errorKinds, ServiceError } from '../../src/service/errors.ts';
import { networkError } from '../../src/service/networkError.ts';
import { scrub } from '../../src/service/scrub.ts';

const url = 'https://host/v1/chat/completions';
const answer = (status: number, body: unknown, key?: string) =>
  errorFromAnswer(status, {}, typeof body === 'string' ? body : JSON.stringify(body), { url, key, now: 0 });

describe('an error body', () => {
  const shapes: [name: string, body: unknown, message: string][] = [
    ['OpenAI', { error: { message: 'Bad value', type: 't', param: 'p', code: 'c' } }, 'Bad value'],
    ['text', { error: 'Bad value' }, 'Bad value'],
    ['flat', { object: 'error', message: 'Bad value', type: 't', code: 400 }, 'Bad value'],
    ['FastAPI', { detail: 'Bad value' }, 'Bad value'],
    ['FastAPI list', { detail: [{ loc: ['body', 'seed'], msg: 'Bad value', type: 't' }] }, 'body.seed: Bad value'],
    ['Mistral', { object: 'error', message: { detail: [{ loc: ['body'], msg: 'Bad value' }] } }, 'body: Bad value'],
    ['array', [{ error: { code: 400, message: 'Bad value', status: 'INVALID' } }], 'Bad value'],
    ['API management', { statusCode: 429, message: 'Bad value' }, 'Bad value'],
    ['RFC 7807', { title: 'Bad', detail: 'Bad value', status: 400 }, 'Bad value'],
    ['gateway', { error: { message: JSON.stringify({ error: { message: 'Bad value' } }) } }, 'Bad value'],
    ['errors', { errors: [{ message: 'Bad value' }] }, 'Bad value'],
    ['Groq in a stream', { choices: [], x_groq: { error: 'Bad value' } }, 'Bad value'],
  ];
  for (const [name, body, message] of shapes) {
    test(`of the shape ${name} gives its message`, () => assert.equal(readErrorBody(body)?.message, message));
  }

  test('is not seen where there is none', () => {
    for (const body of [null, 1, 'x', [], {}, { error: null, choices: [] }, { choices: [{ delta: {} }] }]) {
      assert.equal(readErrorBody(body), undefined, JSON.stringify(body));
    }
  });

  test('of any JSON at all gives a known kind and one short line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 400, max: 599 }), (body, status) => {
        const error = answer(status, body);
        assert.ok(errorKinds.includes(error.kind));
        assert.ok(error.message.length <= 300);
        assert.doesNotMatch(error.message, /\n|\[object Object\]/);
      }),
    );
  });

  test('that is a web page gives the title of the page, not the page', () => {
    const error = answer(502, '<html><head><title>502 Bad Gateway</title></head><body><p>long</p></body></html>');
    assert.equal(error.kind, 'server');
    assert.equal(error.message, '502 Bad Gateway');
  });

  test('tells no quota from too many requests, and a long prompt from a bad one', () => {
    assert.equal(
      answer(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }).kind,
      'quota',
    );
    assert.equal(
      answer(429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }).kind,
      'rate-limit',
    );
    assert.equal(
      answer(400, { error: { message: "This model's maximum context length is 8192 tokens" } }).kind,
      'context-length',
    );
    assert.equal(
      answer(404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }).kind,
      'model-not-found',
    );
  });

  test('that echoes the key loses it', () => {
    const key = 'Zx81-very-own-key';
    const text = JSON.stringify(answer(401, { error: { message: `Incorrect API key provided: ${key}` } }, key));
    assert.doesNotMatch(text, /very-own/);
    assert.doesNotMatch(
      scrub('Bearer abc.def and sk-live_12345678 and eyJhbGciOiJIUzI1.eyJzdWIi.c2ln'),
      /abc|12345678|eyJ/,
    );
  });
});

describe('a network failure', () => {
  const failing = (code: string) =>
    Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) });
  for (const [code, kind] of [
    ['ENOTFOUND', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ] as const) {
    test(`with the code ${code} is ${kind}`, () => assert.equal(networkError(failing(code), url).kind, kind));
  }
  test('of two addresses, both refused, is refused', () => {
    const both = new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]);
    assert.equal(networkError(new TypeError('fetch failed', { cause: both }), url).kind, 'refused');
  });
  test('with a cause that points to itself ends', () => {
    const error: Error & { cause?: unknown } = new Error('loop');
    error.cause = error;
    assert.ok(networkError(error, url) instanceof ServiceError);
  });
});

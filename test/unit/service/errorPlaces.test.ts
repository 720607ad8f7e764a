import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readErrorBody } from '../../../src/service/errors/errorBody.ts';
import { errorFromAnswer, errorInBody } from '../../../src/service/errors/errorFromAnswer.ts';
import type { Headers } from '../../../src/service/errors/rateLimits.ts';

const url = 'https://api.example/v1/chat/completions';
const now = Date.parse('2026-11-27T00:00:00Z');
const errorAt = (status: number, body: unknown, headers: Headers = {}) =>
  errorFromAnswer(status, headers, typeof body === 'string' ? body : JSON.stringify(body), { url, now });
const wordsOf = (body: unknown): string | undefined => readErrorBody(body)?.message;

describe('The reason of a failure', () => {
  it('is told where it stands in `metadata.raw`, as words, as JSON or as an object', () => {
    const raws = [
      'x/y is temporarily rate-limited upstream',
      '{"error":{"message":"x/y is temporarily rate-limited upstream"}}',
      { error: { message: 'x/y is temporarily rate-limited upstream' } },
    ];
    for (const raw of raws) {
      const body = { error: { message: 'Provider returned error', code: 429, metadata: { raw } } };
      assert.equal(wordsOf(body), 'x/y is temporarily rate-limited upstream');
      assert.equal(errorAt(429, body).kind, 'rate-limit');
    }
  });

  it('is told where it stands beside a formula, and the formula where nothing else does', () => {
    assert.equal(
      wordsOf({ error: { message: 'Internal server error', details: 'The disk is full.' } }),
      'The disk is full.',
    );
    assert.equal(wordsOf({ error: { message: 'An error occurred.', reason: 'No GPU.' } }), 'No GPU.');
    assert.equal(
      wordsOf({ error: { message: 'Bad Request', innererror: { message: 'x is no model' } } }),
      'x is no model',
    );
    assert.equal(
      wordsOf({ error: { message: 'Provider returned error', metadata: { raw: '' } } }),
      'Provider returned error',
    );
    const page = { error: { message: 'Provider returned error', metadata: { raw: '<html><body>502</body></html>' } } };
    assert.equal(wordsOf(page), 'Provider returned error');
    assert.equal(wordsOf({ error: { message: 'x is too long', reason: 'length' } }), 'x is too long');
  });

  it('is told where it stands in a choice', () => {
    const body = {
      choices: [{ index: 0, finish_reason: 'error', error: { code: 502, message: 'The model fell over.' } }],
    };
    assert.equal(wordsOf(body), 'The model fell over.');
    assert.equal(wordsOf({ choices: [{ index: 0, error: null, delta: { content: 'x' } }] }), undefined);
  });

  it('is told where it stands in `base_resp`, with the kind that its words have', () => {
    const body = { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } };
    const read = readErrorBody(body);
    assert.ok(read);
    assert.deepEqual([read.message, errorInBody(read, { url }).kind], ['insufficient balance', 'quota']);
    assert.equal(wordsOf({ choices: null, base_resp: { status_code: 0, status_msg: 'success' } }), undefined);
    assert.equal(wordsOf({ choices: [], base_resp: { status_code: 0, status_msg: '' } }), undefined);
    assert.equal(wordsOf({ choices: null, errcode: 40001, errmsg: 'no such user' }), 'no such user');
  });
});

describe('The words of a size that a model cannot take', () => {
  it('are those of llama.cpp and its kin, at any status', () => {
    const words = [
      'prompt is too big compared to KV size',
      'input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      'failed to find free space in the KV cache',
      'The input is too big for n_ctx = 2048',
      '输入内容过长',
      '超过模型最大长度限制',
    ];
    for (const message of words)
      for (const status of [400, 422, 500])
        assert.equal(errorAt(status, { error: { message } }).kind, 'context-length', message);
  });

  it('are no words of a file, a picture or a body', () => {
    for (const message of ['The input audio file is too large', 'input image too large', 'Request body is too large'])
      assert.notEqual(errorAt(413, { error: { message } }).kind, 'context-length', message);
  });
});

describe('How long to wait', () => {
  const waitOf = (body: unknown, headers: Headers = {}) => errorAt(429, body, headers).retryAfterMs;

  it('is read where Gemini says it', () => {
    const details = [{ '@type': 'x' }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' }];
    assert.equal(
      waitOf([{ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details } }]),
      17_000,
    );
    assert.equal(waitOf({ error: { message: 'Slow down', details: [{ retryDelay: '0.5s' }] } }), 500);
  });

  it('is read where OpenRouter says it', () => {
    const headers = {
      'X-RateLimit-Limit': '50',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(now + 32_400_000),
    };
    const error = { message: 'Rate limit exceeded: free-models-per-day', code: 429, metadata: { headers } };
    assert.equal(waitOf({ error }), 32_400_000);
  });

  it('is read where Anthropic says it', () => {
    const reset = new Date(now + 20_000).toISOString();
    const headers = { 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': reset };
    assert.equal(waitOf({ error: { message: 'x' } }, headers), 20_000);
    assert.equal(waitOf({ error: { message: 'x' } }, { 'anthropic-ratelimit-input-tokens-reset': reset }), 20_000);
  });

  it('is read from a duration, from the one header of the newer drafts, and from members of the body', () => {
    assert.equal(waitOf({}, { 'retry-after': '20s' }), 20_000);
    assert.equal(waitOf({}, { ratelimit: '"default";r=0;t=9' }), 9_000);
    assert.equal(waitOf({ error: { message: 'x', retry_after: 5 } }), 5_000);
    assert.equal(waitOf({ message: 'x', retryAfterMs: 250 }), 250);
  });

  it('is not read from what is no wait', () => {
    assert.equal(waitOf({ error: { message: 'x', details: [{ retryDelay: 'soon' }], retry: true } }), undefined);
    assert.equal(errorAt(400, { error: { message: 'x', retry_after: 5 } }).retryAfterMs, undefined);
  });
});

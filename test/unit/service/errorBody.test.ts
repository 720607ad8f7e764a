import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { type ErrorKind, errorKinds, ServiceError } from '../../../src/base/errors.ts';
import { betterBaseUrl } from '../../../src/service/errors/addressHint.ts';
import { type ErrorBody, readErrorBody } from '../../../src/service/errors/errorBody.ts';
import { errorFromAnswer, errorInBody } from '../../../src/service/errors/errorFromAnswer.ts';
import { networkError } from '../../../src/service/errors/networkError.ts';
import { scrub } from '../../../src/service/errors/scrub.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

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
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['UND_ERR_SOCKET', 'reset'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
    ['EAI_AGAIN', 'dns'],
    ['EHOSTUNREACH', 'refused'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['HPE_INVALID_CONSTANT', 'malformed'],
    ['E_OF_NO_KNOWN_NAME', 'reset'],
  ] as const) {
    test(`with the code ${code} is ${kind}`, () => assert.equal(networkError(failing(code), url).kind, kind));
  }
  test('of two addresses, both refused, is refused', () => {
    const both = new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]);
    assert.equal(networkError(new TypeError('fetch failed', { cause: both }), url).kind, 'refused');
  });
  test('of a proxy names the status of the proxy, and shows nothing of what was sent', () => {
    const refused = new TypeError('fetch failed', {
      cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling; Proxy-Authorization: Basic dXNlcjpwYXNz'),
    });
    const error = networkError(refused, 'https://user:secret@host/v1?key=hidden');
    assert.deepEqual([error.kind, error.hint, error.url], ['proxy', '407', 'https://host/v1']);
    assert.doesNotMatch(inspect([error, error.stack]), /dXNl|secret|hidden/);
  });
  test('with a cause that points to itself ends', () => {
    const error: Error & { cause?: unknown } = new Error('loop');
    error.cause = error;
    assert.ok(networkError(error, url) instanceof ServiceError);
  });
});

describe('the kind of a refusal', () => {
  const kindAt = (status: number, message: string, type = '', code = '') =>
    answer(status, { error: { message, type, code } }).kind;

  const tooLong = [
    "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens.",
    'Please reduce the length of the messages or completion.',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Input is too long for requested model.',
    'the request exceeds the available context size (4096 tokens)',
    'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    'Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length',
    "The input (9001 tokens) is longer than the model's context length (8192 tokens).",
    "Requested token count exceeds the model's maximum context length of 8192 tokens.",
    "This endpoint's maximum context length is 131072 tokens.",
    'Your request exceeded model token limit: the prompt is too long',
    'the input length exceeds the context length',
    'Your input exceeds the context window of this model.',
    'Too many tokens in the prompt: too many input tokens',
  ];
  test('is context-length in the words of every service', () => {
    for (const words of tooLong) assert.equal(kindAt(400, words), 'context-length', words);
    assert.equal(kindAt(400, 'Bad request', 'invalid_request_error', 'context_length_exceeded'), 'context-length');
    assert.equal(kindAt(500, 'the input length exceeds the context length'), 'context-length');
    assert.equal(kindAt(413, 'prompt is too long'), 'context-length');
  });

  test('is not context-length where a limit of tokens per minute, or a field, is meant', () => {
    for (const words of [
      'Rate limit reached: too many tokens per min (TPM). Limit 40000. Please reduce your prompt.',
      'This request would exceed your rate limit of input tokens per minute; reduce the prompt length.',
    ]) {
      assert.equal(kindAt(429, words), 'rate-limit', words);
      assert.notEqual(kindAt(400, words), 'context-length', words);
    }
    for (const words of [
      'max_tokens is too large: 100000. This model supports at most 4096 completion tokens.',
      "Invalid 'messages[0].content': expected a string.",
      'Invalid value for temperature.',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      '`logprobs` is not supported with this model',
      'Unrecognized request argument supplied: seed (this field is not supported by the model)',
    ]) {
      assert.equal(kindAt(400, words, 'invalid_request_error'), 'bad-request', words);
    }
  });

  const others: [kind: ErrorKind, status: number, message: string, type?: string, code?: string][] = [
    ['quota', 429, 'Your credit balance is too low.'],
    ['quota', 429, 'You have reached your spend limit.'],
    ['quota', 429, 'x', 'insufficient_quota'],
    ['quota', 403, 'Your account is not active, please check your billing details.', '', 'billing_not_active'],
    ['quota', 400, 'Your credit balance is too low to access the API.', 'invalid_request_error'],
    ['rate-limit', 429, ''],
    ['rate-limit', 429, 'Requests per day limit reached. Upgrade your billing plan for more.'],
    ['rate-limit', 403, 'You have exceeded a secondary rate limit.'],
    ['rate-limit', 400, 'Rate limit exceeded', 'rate_limit_error'],
    ['too-large', 429, 'Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 20000.'],
    ['too-large', 431, ''],
    ['auth', 401, 'quota'],
    ['auth', 400, 'API key not valid. Please pass a valid API key.', '', 'INVALID_ARGUMENT'],
    ['auth', 403, 'Incorrect API key provided'],
    ['permission', 403, 'Country, region, or territory not supported'],
    ['content-filter', 400, 'Output data may contain inappropriate content.', '', 'data_inspection_failed'],
    ['content-filter', 403, 'Your input was flagged by the moderation system.'],
    ['model-not-found', 404, 'The model `x` does not exist or you do not have access to it.'],
    ['model-not-found', 400, 'x is not a valid model ID'],
    ['model-not-found', 400, 'Invalid model name passed in model=x'],
    ['model-not-found', 404, 'models/x is not found for API version v1beta, or is not supported'],
    ['model-not-found', 404, 'The API deployment for this resource does not exist.', '', 'DeploymentNotFound'],
    ['not-found', 404, 'Unknown request URL: POST /v1/x. Please check the URL for typos.', '', 'unknown_url'],
    ['not-found', 405, 'Method Not Allowed'],
    ['overloaded', 503, 'No available channel for model x'],
    ['overloaded', 500, 'The engine is currently overloaded, please try again later'],
    ['timeout', 524, ''],
    ['timeout', 504, 'upstream timed out'],
    ['proxy', 407, ''],
    ['login-page', 511, ''],
    ['server', 500, ''],
    ['server', 520, 'the model runner has unexpectedly stopped'],
    ['bad-request', 400, ''],
    ['bad-request', 422, 'x'],
    ['bad-request', 424, 'x'],
  ];
  for (const [kind, status, message, type, code] of others) {
    test(`is ${kind} for ${status} ${type ?? ''}${code ?? ''} ${JSON.stringify(message)}`, () =>
      assert.equal(kindAt(status, message, type, code), kind));
  }

  test('quirk 28: of an error without a status is told by its words alone', () => {
    const kindIn = (error: unknown) => errorInBody(readErrorBody({ error }) as ErrorBody, { url }).kind;
    assert.equal(kindIn({ message: 'x', type: 'overloaded_error' }), 'overloaded');
    assert.equal(kindIn({ message: 'x', type: 'rate_limit_error' }), 'rate-limit');
    assert.equal(kindIn({ message: 'x', type: 'authentication_error' }), 'auth');
    assert.equal(kindIn({ message: 'x', type: 'permission_error' }), 'permission');
    assert.equal(kindIn({ message: 'x', type: 'not_found_error' }), 'not-found');
    assert.equal(kindIn({ message: 'x', type: 'invalid_request_error' }), 'bad-request');
    assert.equal(kindIn({ message: 'x', type: 'timeout_error' }), 'timeout');
    assert.equal(kindIn({ message: 'x', code: '503' }), 'overloaded');
    assert.equal(kindIn({ message: 'x', code: 402 }), 'quota');
    assert.equal(kindIn('over capacity'), 'overloaded');
    assert.equal(kindIn('the graphics card fell out'), 'server');
  });

  test('says how long to wait where only the words tell', () => {
    const limited = answer(429, { error: { message: 'Slow down. Please try again in 7m12s.' } });
    assert.equal(limited.retryAfterMs, 432_000);
    assert.equal(answer(400, { error: { message: 'Please try again in 5s.' } }).retryAfterMs, undefined);
  });

  test('is proxy for a page of squid', () => {
    const headers = { 'x-squid-error': 'ERR_DNS_FAIL 0' };
    const error = errorFromAnswer(503, headers, '<html><title>ERROR</title></html>', { url, now: 0 });
    assert.deepEqual([error.kind, error.hint], ['proxy', 'ERR_DNS_FAIL 0']);
  });
});

describe('an error body of any kind', () => {
  test('whatever its text, headers and status, is read in little time to a known kind', () => {
    const piece = fc.constantFrom(
      '{"error":',
      '"message":"',
      'model ',
      'a-',
      '*',
      '"',
      '}',
      '[',
      'data: ',
      '<html>',
      '\n',
      'token ',
      '1',
      ' ',
    );
    const body = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 3_000 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 200, max: 599 }), fc.string(), (text, status, header) => {
        const error = errorFromAnswer(status, { 'retry-after': header, 'x-request-id': header }, text, { url, now: 0 });
        assert.ok(errorKinds.includes(error.kind));
        assert.ok(error.message.length <= 300 && !error.message.includes('\n'));
      }),
      { numRuns: 500 },
    );
  });

  test('nested without end is left unread', () => {
    let deep: unknown = { message: 'at the bottom' };
    for (let depth = 0; depth < 1_000; depth++) deep = { error: deep };
    assert.equal(readErrorBody(deep), undefined);
    let quoted = JSON.stringify({ error: { message: 'at the bottom' } });
    for (let depth = 0; depth < 8; depth++) quoted = JSON.stringify({ error: { message: quoted } });
    assert.ok(answer(500, quoted).message.length <= 300);
  });

  test('keeps what a model wrote in vain up to 64 KB, without the key', () => {
    const key = 'Zx81-very-own-key';
    const wrote = `${key} ${'x'.repeat(100_000)}`;
    const error = answer(400, { error: { message: 'm', code: 'tool_use_failed', failed_generation: wrote } }, key);
    assert.match(error.failedGeneration ?? '', /^\[API key\] x/);
    assert.ok((error.failedGeneration?.length ?? 0) <= 65_536);
  });

  test('names the field a list of problems is about', () => {
    assert.equal(answer(422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra' }] }).param, 'stream_options');
    assert.equal(
      answer(422, { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'x' }] }).param,
      'messages.0.role',
    );
  });
});

describe('the text of a service', () => {
  const key = 'correct-horse-battery-9';
  test('loses keys and tokens in every form', () => {
    for (const [written, secret] of [
      ['Bearer tZ8kLm2n', 'tZ8kLm2n'],
      ['Authorization: Basic dXNlcjpwYXNz', 'dXNl'],
      ['authorization: dXNlcjpwYXNz', 'dXNl'],
      ['sk-proj-Ab12_cd34-Ef56', 'Ab12'],
      ['gsk_Ab12cd34Ef56', 'Ab12'],
      ['AIzaSyA1234567890abcdefghijklmnopqrstu', 'AIza'],
      ['AKIAIOSFODNN7EXAMPLE', 'AKIA'],
      ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJal'],
      ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'eyJ'],
      ['/v1?api_key=abcdef&x=1', 'abcdef'],
      ['/v1?x=1&sig=a%2Fb', 'a%2Fb'],
      ['"api_key": "abc123def"', 'abc123'],
      ['x-api-key: abc123def', 'abc123'],
      ['Ocp-Apim-Subscription-Key: 0123456789abcdef', '0123'],
      ['password=hunter2', 'hunter2'],
      ['https://user:hunter2@host/', 'hunter2'],
      ['ab12****yz89', 'yz89'],
      [key, 'horse'],
      [`${key.slice(0, 14)}...`, 'correct'],
      [`...${key.slice(6)}`, 'battery'],
      [btoa(key), btoa(key)],
    ] as const) {
      const clean = scrub(`Not accepted: ${written}, sorry`, key);
      assert.match(clean, /^Not accepted: .*API key\]/, written);
      assert.ok(!clean.includes(secret), clean);
    }
  });

  test('keeps what only looks a little like one', () => {
    for (const words of [
      'token_limit_exceeded: max_tokens must be at most 4096 tokens',
      'The bearer token is missing; basic authentication is required.',
      'api key is invalid: expired',
      'model meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8 not found',
      'Unknown request URL: POST /v1/chat/completions?x=1',
      'The key_not_found error of request req_011CSHoEeqs5C35K2UUqR7Fy',
      'session 8f14e45f-ceea-467f-9d1c-a21c8f0e1b2d',
    ]) {
      assert.equal(scrub(words, key), words);
    }
  });

  test('with a key of a letter or two is not torn to pieces', () => {
    assert.equal(scrub('The extra index x is expired', 'x'), 'The extra index [API key] is expired');
  });

  test('is one line of 300 characters at most, in a time that grows with the text and no faster', async () => {
    assert.equal(scrub('a\r\n\tb\u0000c\u001b[31m'), 'a b c [31m');
    for (const long of ['a', 'a-', '*', '//:', '?key', 'Aa1+', 'api_key ', 'bearer ']) {
      assert.ok(scrub(long.repeat(1_000_000 / long.length), key).length <= 300);
      await assertGrowsNoFaster((length) => scrub(long.repeat(length / long.length), key), 250_000, long);
    }
  });
});

describe('an address where nothing was found', () => {
  for (const [called, better] of [
    ['https://h/v1/v1/chat/completions', 'https://h/v1'],
    ['https://h/openai/v1/openai/v1/embeddings', 'https://h/openai/v1'],
    ['https://h/v1/chat/completions/chat/completions', 'https://h/v1'],
    ['https://h/v1/audio/transcriptions/audio/translations', 'https://h/v1'],
    ['http://localhost:11434/chat/completions', 'http://localhost:11434/v1'],
    ['http://localhost:11434/models', 'http://localhost:11434/v1'],
    ['https://h/api/models/some-model', 'https://h/api/v1'],
    ['https://h/v1/chat/completions', undefined],
    ['https://h/v1beta/openai/chat/completions', undefined],
    ['https://h/api/v3/embeddings/', undefined],
    ['', undefined],
  ] as const) {
    test(`${called || 'that is empty'} ${better ? `may be ${better}` : 'has no better one'}`, () =>
      assert.equal(betterBaseUrl(called), better));
  }
});

test('a refusal of a request without a key says so, with the variable in which one was looked for', () => {
  const context = { url: 'http://127.0.0.1:8000/v1/chat/completions', now: 0 };
  const keyless = errorFromAnswer(401, {}, '', { ...context, missingVariable: 'MY_KEY' });
  assert.deepEqual([keyless.kind, keyless.hint, keyless.param], ['auth', 'no-key', 'MY_KEY']);
  const noVariable = errorFromAnswer(401, {}, '{"error":{"message":"No key","param":"key"}}', context);
  assert.deepEqual([noVariable.kind, noVariable.hint, noVariable.param], ['auth', 'no-key', undefined]);
  const wrong = errorFromAnswer(401, {}, '', { ...context, key: 'sk-wrong', missingVariable: undefined });
  assert.deepEqual([wrong.kind, wrong.hint], ['auth', undefined]);
  const busy = errorFromAnswer(429, {}, '', { ...context, missingVariable: 'MY_KEY' });
  assert.deepEqual([busy.hint, busy.param], [undefined, undefined]);
});

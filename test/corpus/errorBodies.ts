import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ErrorKind } from '../../src/base/errors.ts';
import type { CorpusCase } from './case.ts';

/** Headers and whether the request asks for a stream. */
type More = Pick<CorpusCase, 'headers' | 'stream' | 'quirks'>;

/** A refusal: `body` as it is, or as JSON. */
function refusal(
  name: string,
  status: number,
  body: unknown,
  kind: ErrorKind | readonly ErrorKind[],
  says?: string,
  more: More = {},
): CorpusCase {
  return {
    name,
    quirks: [27],
    operation: 'chat',
    status,
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    expected: { ok: false, kind, ...(says === undefined ? {} : { says }) },
    ...more,
  };
}

const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };
const plain = { headers: { 'content-type': 'text/plain' } };
const openAi = (message: string, type: string, code?: unknown, param?: string) => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});

/** The bodies of table 1.6 of the field notes, as the services write them. */
const shapes: readonly CorpusCase[] = [
  refusal(
    'OpenAI: nested error with param',
    400,
    openAi("Invalid value for 'temperature'.", 'invalid_request_error', 'invalid_value', 'temperature'),
    'bad-request',
    "Invalid value for 'temperature'.",
  ),
  refusal(
    'OpenAI: a key that is not valid, starred out',
    401,
    openAi(
      'Incorrect API key provided: sk-abcd****wxyz. You can find your API key in the console.',
      'invalid_request_error',
      'invalid_api_key',
    ),
    'auth',
    'Incorrect API key provided',
  ),
  refusal(
    'LiteLLM: the status as a string in code',
    400,
    openAi('litellm.BadRequestError: The tool list is empty.', 'None', '400'),
    'bad-request',
    'The tool list is empty.',
  ),
  refusal(
    'LiteLLM: the error of the service behind it, written as Python',
    400,
    openAi(
      "litellm.ContextWindowExceededError: Error code: 400 - {'error': {'message': \"This model's maximum context length is 8192 tokens.\", 'type': 'invalid_request_error', 'code': 'context_length_exceeded'}}",
      'None',
      '400',
    ),
    'context-length',
    "This model's maximum context length is 8192 tokens.",
  ),
  refusal(
    'llama.cpp: the status as a number in code',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
      },
    },
    'context-length',
    'exceeds the available context size',
  ),
  refusal(
    'llama.cpp: the model is still being loaded',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'overloaded',
    'Loading model',
  ),
  refusal(
    'Ollama: a model that was never pulled',
    404,
    openAi('model "llama9" not found, try pulling it first', 'api_error'),
    'model-not-found',
    'try pulling it first',
  ),
  refusal(
    'vLLM before 0.10.1: flat',
    400,
    { object: 'error', message: 'top_p must be in (0, 1], got 7.', type: 'BadRequestError', param: null, code: 400 },
    'bad-request',
    'top_p must be in (0, 1], got 7.',
  ),
  refusal(
    'SGLang: flat, the prompt is too long',
    400,
    {
      object: 'error',
      message: "The input (9001 tokens) is longer than the model's context length (8192 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
    'context-length',
    "longer than the model's context length",
  ),
  refusal('whisper.cpp: error is text', 400, { error: 'no messages in the request' }, 'bad-request', 'no messages'),
  refusal(
    'TGI: error is text beside its type',
    422,
    {
      error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
      error_type: 'validation',
    },
    'context-length',
    'must be <= 4096',
  ),
  refusal('LM Studio: error is text', 404, { error: 'No models loaded. Load one in the developer page.' }, [
    'model-not-found',
    'not-found',
  ]),
  refusal('FastAPI: detail is text', 404, { detail: 'Not Found' }, 'not-found', 'Not Found'),
  refusal(
    'FastAPI: detail is a list',
    422,
    { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: null }] },
    'bad-request',
    'messages: Field required',
  ),
  refusal(
    'Mistral: detail within message',
    422,
    {
      object: 'error',
      message: { detail: [{ type: 'extra', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }] },
      type: 'invalid_request_error',
      code: 3001,
    },
    'bad-request',
    'top_k: Extra inputs are not permitted',
  ),
  refusal(
    'Gemini: an array',
    400,
    [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }],
    'auth',
    'API key not valid.',
  ),
  refusal(
    'Azure API management: statusCode and message',
    429,
    { statusCode: 429, message: 'Rate limit is exceeded. Try again in 2 seconds.' },
    'rate-limit',
    'Rate limit is exceeded.',
    { quirks: [27, 29], headers: { 'retry-after-ms': '20' } },
  ),
  refusal(
    'RFC 7807: title, detail and status',
    403,
    { type: 'urn:problem', title: 'Forbidden', status: 403, detail: 'Authorization failed for this function.' },
    'permission',
    'Authorization failed for this function.',
    { headers: { 'content-type': 'application/problem+json' } },
  ),
  refusal(
    'a list of errors',
    400,
    { success: false, errors: [{ code: 5006, message: 'required properties are missing' }], result: null },
    'bad-request',
    'required properties are missing',
  ),
  refusal(
    'an error within an error',
    400,
    { error: { error: { message: 'The seed is too big.', type: 'invalid_request_error' } } },
    'bad-request',
    'The seed is too big.',
  ),
  refusal(
    'a gateway: the JSON of the service behind it as a string, twice over',
    502,
    openAi(
      JSON.stringify({ error: { message: JSON.stringify(openAi('The upstream fell over.', 'api_error')) } }),
      'proxy',
    ),
    'server',
    'The upstream fell over.',
  ),
  refusal(
    'OpenRouter: the words of the provider in metadata.raw',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { provider_name: 'One', raw: JSON.stringify(openAi('top_k is too small.', 'invalid_request_error')) },
      },
    },
    'bad-request',
    'top_k is too small.',
  ),
  refusal(
    'a refusal written as a server event',
    400,
    `event: error\ndata: ${JSON.stringify(openAi('No streaming today.', 'invalid_request_error'))}\n\n`,
    'bad-request',
    'No streaming today.',
    { stream: true },
  ),
  refusal(
    'an error with only its code',
    400,
    { error: { code: 'unsupported_field' } },
    'bad-request',
    'unsupported_field',
  ),
  refusal('an error that is an empty object', 500, { error: {} }, 'server'),
  refusal('a service that wrote [object Object] itself', 500, { error: { message: '[object Object]' } }, 'server'),
  refusal(
    'HTML: 413 of nginx',
    413,
    '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body><hr></body></html>',
    'too-large',
    '413 Request Entity Too Large',
    html,
  ),
  refusal(
    'HTML: 502 of Cloudflare',
    502,
    `<!DOCTYPE html><!--[if lt IE 7]> <html> <![endif]--><html><head><title>api.host | 502: Bad gateway</title></head><body>${'x'.repeat(5_000)}</body></html>`,
    'server',
    '502: Bad gateway',
    { headers: { ...html.headers, 'cf-ray': '8f1e2d3c4b5a6978-FRA' } },
  ),
  refusal(
    'HTML: 403 of a check for robots',
    403,
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body></body></html>',
    ['login-page', 'permission'],
    'Just a moment...',
    { headers: { ...html.headers, 'cf-ray': '8f1e2d3c4b5a6978-FRA' } },
  ),
  refusal('plain text: 404 of a Go server', 404, '404 page not found\n', 'not-found', '404 page not found', plain),
  refusal('an empty 401', 401, '', 'auth', undefined, plain),
  refusal('an empty 500', 500, '', 'server', undefined, plain),
];

/** Rows of the quirk table that are about refusals. */
const quirks: readonly CorpusCase[] = [
  {
    name: 'HTML with status 200: the login page of a network',
    quirks: [10],
    operation: 'chat',
    stream: true,
    headers: html.headers,
    body: '<!DOCTYPE html>\n<html><head><title>Guest Wi-Fi: Sign in</title></head><body></body></html>',
    expected: { ok: false, kind: 'login-page' },
  },
  ...(['tool_use_failed', 'json_validate_failed'] as const).map((code) =>
    refusal(
      `Groq: ${code}, with what the model wrote`,
      400,
      {
        error: {
          message: `Failed to use what the model wrote. Please adjust your prompt. (${code})`,
          type: 'invalid_request_error',
          code,
          failed_generation: '<function=open_file{"path": "a.ts"</function>',
        },
      },
      'bad-request',
      'Please adjust your prompt.',
      { quirks: [26], headers: { 'x-groq-id': 'req_01jbd6g2qdfw2adyrt2az8hz4w' } },
    ),
  ),
  refusal(
    'status 200 with an error body',
    200,
    openAi('The provider is overloaded, try again later.', 'overloaded_error'),
    'overloaded',
    'The provider is overloaded',
    { quirks: [28] },
  ),
  refusal(
    'status 200 with an error body in answer to stream: true',
    200,
    openAi('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
    'auth',
    'Incorrect API key provided.',
    { quirks: [28], stream: true, headers: { 'content-type': 'application/json' } },
  ),
  refusal(
    'status 200 with a flat error body',
    200,
    { object: 'error', message: 'The engine died.', type: 'InternalServerError', code: 500 },
    'server',
    'The engine died.',
    { quirks: [28] },
  ),
  refusal(
    'status 200 with the status of the error in code',
    200,
    { error: { message: 'Too many requests for this model.', code: 429 } },
    'rate-limit',
    'Too many requests for this model.',
    { quirks: [28, 30] },
  ),
  refusal(
    'Groq: a limit of tokens per day, over in minutes',
    429,
    openAi(
      'Rate limit reached for model `m` in organization `org_1` on tokens per day (TPD): Limit 100000, Used 99999, Requested 900. Please try again in 7m12.345s. Need more tokens? Upgrade today at https://host/settings/billing',
      'tokens',
      'rate_limit_exceeded',
    ),
    'rate-limit',
    'try again in 7m12.345s',
    { quirks: [29, 30] },
  ),
  refusal(
    'a limit whose reset is a Go duration',
    429,
    openAi('Rate limit reached for requests', 'requests', 'rate_limit_exceeded'),
    'rate-limit',
    'Rate limit reached for requests',
    { quirks: [29], headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' } },
  ),
  refusal(
    'no quota left, as a 429',
    429,
    openAi(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
    'quota',
    'You exceeded your current quota',
    { quirks: [30] },
  ),
  refusal(
    'no credit left, as a 402',
    402,
    { error: { message: 'Insufficient credits. Add more to go on.', code: 402 } },
    'quota',
    'Insufficient credits.',
    { quirks: [30] },
  ),
  refusal(
    'Gemini: a limit of the minute in the words of a quota',
    429,
    [
      {
        error: {
          code: 429,
          message:
            'You exceeded your current quota, please check your plan and billing details. Please retry in 0.02s.',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    ],
    'rate-limit',
    'You exceeded your current quota',
    { quirks: [30] },
  ),
  refusal(
    'one request that is larger than the limit of a minute',
    413,
    openAi(
      'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.',
      'tokens',
      'rate_limit_exceeded',
    ),
    ['too-large', 'rate-limit'],
    'Limit 6000, Requested 9000',
    { quirks: [30] },
  ),
  refusal(
    'Groq: no capacity for this tier',
    498,
    openAi('Over capacity for the flex tier.', 'capacity_exceeded', 'capacity_exceeded'),
    'overloaded',
    'Over capacity',
    { quirks: [31] },
  ),
  refusal(
    'Anthropic: overloaded',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_011CSHoEeqs5C35K' },
    'overloaded',
    'Overloaded',
    { quirks: [31] },
  ),
  refusal('408', 408, openAi('The request came too slowly.', 'timeout'), 'timeout', 'too slowly', { quirks: [31] }),
  refusal('425', 425, openAi('Too early.', 'too_early'), 'overloaded', 'Too early.', { quirks: [31] }),
  refusal(
    '500 that says not to ask again',
    500,
    openAi('This prompt cannot be answered.', 'server_error'),
    'server',
    'This prompt cannot be answered.',
    { quirks: [32], headers: { 'x-should-retry': 'false' } },
  ),
  refusal(
    'a content filter',
    400,
    {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
    'content-filter',
    'The response was filtered',
  ),
  refusal(
    'a model that was taken away',
    400,
    openAi('The model `m` has been decommissioned.', 'invalid_request_error', 'model_decommissioned'),
    'model-not-found',
    'has been decommissioned',
  ),
  refusal(
    'tokens, keys and addresses with keys in the words of the error',
    400,
    openAi(
      'Bad upstream call: https://user:hunter22@inner/v1?api_key=Qw3rtyUiop99 with authorization: Bearer Tz8kLm2nQp4rSt6v and x-api-key: Mn7bVc5xZ3 and sk-proj-AbCdEf1234567890 and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      'invalid_request_error',
    ),
    'bad-request',
    'Bad upstream call',
    { quirks: [56] },
  ),
  refusal(
    'an error body in gzip',
    400,
    gzipSync(JSON.stringify(openAi('The stop list is too long.', 'invalid_request_error'))),
    'bad-request',
    'The stop list is too long.',
    { quirks: [58], headers: { 'content-encoding': 'gzip' } },
  ),
  refusal(
    'an error body in brotli',
    400,
    brotliCompressSync(JSON.stringify(openAi('The stop list is too long.', 'invalid_request_error'))),
    'bad-request',
    'The stop list is too long.',
    { quirks: [58], headers: { 'content-encoding': 'br' } },
  ),
  refusal(
    'an error body in Latin-1',
    400,
    Buffer.from('{"error":{"message":"Ungültige Größe.","type":"invalid_request_error"}}', 'latin1'),
    'bad-request',
    'Ungültige Größe.',
    { quirks: [58], headers: { 'content-type': 'application/json; charset=iso-8859-1' } },
  ),
  refusal(
    'an error body of two megabytes',
    500,
    `{"error":{"message":"The cluster is out of memory.","type":"server_error"},"trace":"${'x'.repeat(2_000_000)}"}`,
    'server',
    'The cluster is out of memory.',
    { quirks: [58] },
  ),
];

/** Refusals of all services, in all their shapes. */
export const errorBodyCases: readonly CorpusCase[] = [...shapes, ...quirks];

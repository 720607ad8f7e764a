import type { Exchange } from './options.ts';
import { pause, Refusal, sendText } from './replies.ts';

/** Bytes that are neither JSON, nor server events, nor UTF-8. */
export const GARBAGE = Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 167 + 91) % 256));

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form><input type="password"></form></body></html>';
const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Faults that are one answer of the OpenAI error shape: status, message, type, code. */
const REFUSALS: Record<string, [number, string, string, string?]> = {
  '400': [400, 'The request could not be understood.', 'invalid_request_error', 'invalid_value'],
  '401': [401, 'Invalid API key.', 'invalid_request_error', 'invalid_api_key'],
  '403': [403, 'This key may not use this model.', 'permission_error', 'permission_denied'],
  '404': [404, 'Unknown request URL.', 'invalid_request_error', 'unknown_url'],
  '408': [408, 'The request took too long to arrive.', 'timeout_error', 'request_timeout'],
  '409': [409, 'The resource is being changed by another request.', 'conflict_error'],
  '413': [413, 'The request is too large.', 'invalid_request_error', 'request_too_large'],
  '422': [422, 'The request is well-formed but cannot be processed.', 'invalid_request_error', 'unprocessable'],
  '429': [429, 'Rate limit reached. Please try again in 1s.', 'requests', 'rate_limit_exceeded'],
  '429-long': [429, 'Rate limit reached. Please try again in 20s.', 'requests', 'rate_limit_exceeded'],
  '429-quota': [429, 'You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'],
  '498': [498, 'Flex capacity exceeded.', 'capacity_exceeded', 'capacity_exceeded'],
  '500': [500, 'The server had an error while processing your request.', 'server_error'],
  '502': [502, 'Bad gateway.', 'server_error'],
  '503': [503, 'The service is overloaded.', 'service_unavailable', 'service_unavailable'],
  '529': [529, 'Overloaded.', 'overloaded_error'],
  'model-not-found': [
    404,
    'The model does not exist or you have no access to it.',
    'invalid_request_error',
    'model_not_found',
  ],
  'context-length': [
    400,
    "This model's maximum context length is 8192 tokens.",
    'invalid_request_error',
    'context_length_exceeded',
  ],
};
const PARAMS: Record<string, string> = { 'model-not-found': 'model', 'context-length': 'messages' };
const RETRY_AFTER: Record<string, string> = { '429': '1', '429-long': '20', '503': '1' };

/** Faults that belong to one operation and are played there. */
const LATER =
  `content-filter hold stall cut cut-clean garbage error-in-stream json-for-stream ndjson no-done no-stream-support
  embeddings-shuffled embeddings-short embeddings-zero embeddings-nan embeddings-longer embeddings-batch-10
  embeddings-batch-32 embeddings-nan-text`.split(/\s+/);
const ANY = ['html', 'html-502', 'slow-first-byte', 'redirect', 'empty', 'reset'];

/** Every fault by name; each may end in `-once`: then only the first request of its operation meets it. */
export const FAULTS = [...Object.keys(REFUSALS), ...ANY, ...LATER];

/** The fault a model's name asks for: `fault-429`, `parley-chat-fault-stall`. */
export function faultOfModel(model: unknown): string | undefined {
  return typeof model === 'string' ? /(?:^|[-:/])fault-([a-z0-9-]+)$/.exec(model)?.[1] : undefined;
}

/**
 * Makes the function that decides which fault a request meets.
 * @throws Refusal 400 for a name that is no fault, so that a slip in a test is seen
 */
export function createFaultPicker(): (name: string | undefined, path: string) => string | undefined {
  const met = new Set<string>();
  return (name, path) => {
    if (name === undefined) return undefined;
    const once = name.endsWith('-once');
    const fault = once ? name.slice(0, -'-once'.length) : name;
    if (!FAULTS.includes(fault)) throw new Refusal(400, `There is no fault '${name}'.`, { param: 'x-parley-fault' });
    if (once && met.has(`${fault} ${path}`)) return undefined;
    if (once) met.add(`${fault} ${path}`);
    return fault;
  };
}

/**
 * Plays the faults that are the same for every operation, before the request is looked at.
 * @returns whether the request has been answered
 */
export async function playFault(exchange: Exchange): Promise<boolean> {
  const { fault, response, record, settings } = exchange;
  const refusal = fault === undefined ? undefined : REFUSALS[fault];
  if (fault !== undefined && refusal) {
    const [status, message, type, code] = refusal;
    const param = PARAMS[fault];
    const after = RETRY_AFTER[fault];
    throw new Refusal(status, message, {
      type,
      ...(code === undefined ? {} : { code }),
      ...(param === undefined ? {} : { param }),
      headers: after === undefined ? {} : { 'retry-after': after },
    });
  }
  if (fault === 'slow-first-byte') {
    await pause(settings.slowFirstByteMs ?? 2 ** 31 - 1, exchange.gone, exchange.released);
    return exchange.gone.aborted;
  }
  if (fault === 'html') sendText(exchange, 200, 'text/html; charset=utf-8', LOGIN_PAGE);
  else if (fault === 'html-502') sendText(exchange, 502, 'text/html', BAD_GATEWAY);
  else if (fault === 'empty') sendText(exchange, 200, 'application/json', '');
  else if (fault === 'redirect') sendText(exchange, 307, 'text/plain', '', { location: settings.redirectTo });
  else if (fault === 'reset') {
    record.finished = true;
    response.destroy();
  } else return playBrokenBody(exchange);
  return true;
}

/** `stall`, `cut` and `garbage` where nothing is streamed: half a JSON object, then silence, or the end, or noise. */
function playBrokenBody({ fault, response, record, body }: Exchange): boolean {
  if (fault !== 'stall' && fault !== 'cut' && fault !== 'garbage') return false;
  if (/"stream"\s*:\s*true/.test(body.toString('latin1', 0, body.length))) return false;
  record.status = 200;
  const half = '{"id":"half","object":';
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': fault === 'garbage' ? GARBAGE.length : half.length * 2,
  });
  if (fault === 'garbage') response.end(GARBAGE);
  else if (fault === 'stall') response.write(half);
  else {
    record.finished = true;
    response.write(half, () => response.destroy());
  }
  return true;
}

import type { CorpusCase } from './case.ts';
import { broken, chunk, done, events, finish, word } from './pieces.ts';

const begun = events(word('Hel'));
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>…</body></html>';
/** A failure inside a stream has no status, so its kind is judged by its words. */
const anyFailure = ['server', 'overloaded', 'bad-request', 'malformed'] as const;
const capacity = { kind: ['overloaded', 'server'], says: 'over capacity' } as const;
const crashed = { kind: ['server', 'bad-request'], says: 'it broke' } as const;

/** Streams that fail, and must not pass for a whole answer. */
export const brokenStreams: readonly CorpusCase[] = [
  broken('cut before finish_reason', [1], begun, { kind: 'truncated' }),
  broken('cut with the socket destroyed', [1], begun, { kind: ['truncated', 'reset'] }, { ending: 'cut' }),
  broken('cut within an event', [1], `${begun}data: {"choices":[{"index":0,"del`, { kind: 'truncated' }),
  broken(
    'cut within a second choice',
    [1, 23],
    events(word('Hel'), chunk({ content: 'x' }, {}, { index: 1 }), finish()),
    { kind: 'truncated' },
  ),
  broken('an empty chunk, then the end', [57], events(word('Hel'), chunk({ content: '' })), { kind: 'truncated' }),
  broken('cut NDJSON', [1, 9], `${word('Hel')}\n{"choices":[{"ind`, { kind: 'truncated' }),
  broken('a cut JSON body', [1, 8], '{"choices":[{"index":0,"message":{"content":"Hel', {
    kind: ['truncated', 'malformed'],
    partial: '',
  }),
  broken('an empty body', [1], '', { kind: ['malformed', 'truncated'], partial: '' }),
  broken('[DONE] and nothing else', [3], events(done), { kind: ['malformed', 'truncated'], partial: '' }),
  broken('pings and nothing else', [4], ': ping\n\nevent: ping\n\ndata:\n\n', {
    kind: ['malformed', 'truncated'],
    partial: '',
  }),
  broken('a web page', [10], page, { kind: 'login-page', partial: '' }, { headers: { 'content-type': 'text/html' } }),
  broken('a web page that says it is a stream', [10], page, { kind: 'login-page', partial: '' }),
  broken('plain text', [10], 'Service unavailable', { kind: ['malformed', 'server', 'overloaded'], partial: '' }),
  broken(
    'an error within a choice',
    [11],
    events(word('Hel'), chunk({}, {}, { finish_reason: 'error', error: { code: 502, message: 'it broke' } })),
    crashed,
  ),
  broken('a line of words for an event', [11], events(word('Hel'), 'it broke: Internal Server Error'), crashed),
  broken(
    'choices null and the reason in base_resp',
    [11],
    JSON.stringify({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    { kind: 'quota', says: 'insufficient balance', partial: '' },
  ),
  broken(
    'an error object',
    [11],
    events(word('Hel'), '{"error":{"message":"it broke","type":"server_error"}}'),
    crashed,
  ),
  broken(
    'an error object, then [DONE]',
    [3, 11],
    events(word('Hel'), '{"error":{"message":"it broke"}}', done),
    crashed,
  ),
  broken(
    'an error event with an object',
    [11],
    `${begun}event: error\ndata: {"error":{"message":"it broke"}}\n\n`,
    crashed,
  ),
  broken('an error event with a flat message', [11], `${begun}event: error\ndata: {"message":"it broke"}\n\n`, crashed),
  broken('an error event with plain text', [11], `${begun}event: error\ndata: it broke\n\n`, crashed),
  broken('an error that is text', [11], events(word('Hel'), '{"error":"it broke"}'), crashed),
  broken(
    'x_groq.error',
    [11],
    events(word('Hel'), '{"choices":[],"x_groq":{"id":"req_1","error":"over capacity"}}'),
    capacity,
  ),
  broken(
    'a flat error object',
    [11],
    events(word('Hel'), '{"object":"error","message":"it broke","type":"InternalServerError","code":500}'),
    crashed,
  ),
  broken(
    'an error field of its own',
    [11],
    `${begun}error: {"code":500,"message":"it broke","type":"server_error"}\n\n`,
    crashed,
  ),
  broken(
    'an error in a chunk with text',
    [11],
    events(chunk({ content: 'Hel' }, { error: { code: 502, message: 'it broke' } }, { finish_reason: 'error' }), done),
    crashed,
  ),
  broken('finish_reason error and no words', [11, 14], events(word('Hel'), finish('error'), done), {
    kind: anyFailure,
  }),
  broken('finish_reason network_error', [14], events(word('Hel'), finish('network_error'), done), { kind: 'server' }),
  broken(
    'finish_reason insufficient_system_resource',
    [14],
    events(word('Hel'), finish('insufficient_system_resource')),
    {
      kind: 'overloaded',
    },
  ),
  broken('finish_reason abort', [14], events(word('Hel'), finish('abort'), done), { kind: 'truncated' }),
  broken('finish_reason "null" with each piece, and no other', [14], events(word('Hel'), finish('null')), {
    kind: 'truncated',
  }),
  broken('an error without a message', [11], events(word('Hel'), '{"error":{"code":"internal"}}'), {
    kind: anyFailure,
  }),
  broken('an error as a bare JSON line', [11], `${begun}{"error":{"message":"it broke"}}\n`, crashed),
  broken(
    'a rate limit inside the stream',
    [11],
    events(word('Hel'), '{"error":{"message":"Rate limit reached for requests","code":"rate_limit_exceeded"}}'),
    { kind: 'rate-limit', says: 'Rate limit reached' },
  ),
  broken('an error in an NDJSON line', [9, 11], `${word('Hel')}\n{"error":"it broke"}\n`, crashed),
  broken('an error in one JSON body', [8, 11], '{"error":{"message":"it broke"}}', { ...crashed, partial: '' }),
  broken(
    'an error in a whole answer',
    [11],
    '{"error":{"message":"it broke","code":500}}',
    { ...crashed, partial: '' },
    { stream: false },
  ),
  broken(
    'a whole answer with choices null',
    [13],
    '{"id":"x","choices":null}',
    { kind: 'malformed', partial: '' },
    { stream: false },
  ),
  broken(
    'a whole answer with no choices',
    [13],
    '{"id":"x","choices":[]}',
    { kind: 'malformed', partial: '' },
    { stream: false },
  ),
  broken(
    'a web page for a whole answer',
    [10],
    page,
    { kind: 'login-page', partial: '' },
    { stream: false, headers: { 'content-type': 'text/html' } },
  ),
  broken('data that is no JSON', [5], events(word('Hel'), '{oops}', finish(), done), { kind: 'malformed' }),
  broken(
    'a choice index out of all reason',
    [55],
    events(word('Hel'), chunk({ content: 'x' }, {}, { index: 4_000_000_000 }), finish(), done),
    { kind: 'malformed' },
  ),
  broken(
    'a negative choice index',
    [55],
    events(word('Hel'), chunk({ content: 'x' }, {}, { index: -1 }), finish(), done),
    { kind: 'malformed' },
  ),
];

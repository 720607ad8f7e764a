import { gzipSync } from 'node:zlib';
import {
  count,
  done,
  event,
  forever,
  gzipTwice,
  head,
  join,
  json,
  MB,
  type Pieces,
  packed,
  repeat,
  sse,
} from './hostileBytes.ts';

/** An answer that means harm: what stands on the wire, byte by byte, and how reading it may end. */
export interface HostileAnswer {
  name: string;
  operation: 'chat' | 'chat-json' | 'embeddings' | 'models' | 'audio';
  /** All of it, head included; strings are latin1. */
  bytes: (origin: string) => Pieces;
  /** What is done with the connection afterwards; it is ended by itself. */
  ending?: 'open' | 'cut';
  /** Outcomes that are right: `answered`, kinds of a ServiceError; `stopped` where only Stop ends it. */
  ends: readonly string[];
  /** How it may end where the `fetch` of the editor unpacks, which tells nobody how tightly it was packed. */
  byEditor?: readonly string[];
  /** The longest turn is the parser's of whoever reads the head: ours by the direct way, the editor's by its own. */
  directBlocks?: true;
  /** Where its longest turn is not ours by the direct way either, in megabytes of JSON: undici gives each HTTP chunk by itself. */
  longestBlock?: number;
  /** After so many bytes it is stopped, where only that ends it. */
  stopAfter?: number;
  /** Belongs to the short form. */
  short?: true;
}

const bad = ['malformed'];
const x = 'x'.repeat(65_536);
const tool = (call: object): string => event({ tool_calls: [call] });
const item = (embedding: string): string => `{"object":"embedding","index":0,"embedding":${embedding}}`;
const refused = (status: string, body: Pieces, headers = ''): Pieces =>
  join(head('application/json', status, headers), body as Iterable<string>);
const nested = (open: string, times: number): Iterable<string> => repeat(open, times * open.length);

const chat: Omit<HostileAnswer, 'operation'>[] = [
  { name: 'a line that does not end', bytes: () => join(sse(), 'data: ', forever(x)), ends: bad, short: true },
  { name: 'an event of lines without end', bytes: () => join(sse(), forever('data: x\n')), ends: bad },
  { name: 'a comment that does not end', bytes: () => join(sse(), ': ', forever(x)), ends: bad },
  { name: 'a name of an event that does not end', bytes: () => join(sse(), 'event: ', forever(x)), ends: bad },
  { name: 'heartbeats without end', bytes: () => join(sse(), forever(': ping\n\n')), ends: ['stopped'], short: true },
  { name: 'blank lines without end', bytes: () => join(sse(), forever('\r\n')), ends: ['stopped'] },
  { name: 'carriage returns without end', bytes: () => join(sse(), ': a\r', forever('\r')), ends: ['stopped'] },
  { name: 'fields of events without end', bytes: () => join(sse(), forever('id: 1\nretry: 1\n')), ends: ['stopped'] },
  {
    name: 'small deltas at full speed',
    bytes: () => join(sse(), forever(event({ content: 'a ' }))),
    ends: ['stopped'],
    short: true,
  },
  { name: 'empty deltas without end', bytes: () => join(sse(), forever(event({ content: '' }))), ends: ['stopped'] },
  {
    name: 'large deltas without end',
    bytes: () => join(sse(), forever(event({ content: x }))),
    ends: ['answer-too-long'],
    short: true,
  },
  {
    name: 'deltas of a megabyte',
    bytes: () => join(sse(), forever(event({ content: x.repeat(16) }))),
    ends: ['answer-too-long'],
  },
  {
    name: 'deltas of escapes',
    bytes: () => join(sse(), forever(event({ content: '\u0001'.repeat(10_000) }))),
    ends: ['answer-too-long'],
  },
  {
    name: 'deltas of other letters',
    bytes: () => join(sse(), forever(event({ content: '\\u4e2d'.repeat(9_000) }).replaceAll('\\\\', '\\'))),
    ends: ['answer-too-long'],
  },
  {
    name: 'halves of surrogates, each in an event',
    bytes: () =>
      join(
        sse(),
        repeat(
          'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n\ndata: {"choices":[{"delta":{"content":"\\ude00"}}]}\n\n',
          MB,
        ),
        done,
      ),
    ends: ['answered'],
  },
  {
    name: 'a million brackets in an event',
    bytes: () => join(sse(), 'data: ', nested('[', 1e6), '\n\n', done),
    ends: bad,
    short: true,
  },
  {
    name: 'a million brackets that close',
    bytes: () => join(sse(), 'data: ', nested('[', 1e6), nested(']', 1e6), '\n\n', done),
    ends: bad,
  },
  {
    name: 'objects within objects',
    bytes: () => join(sse(), 'data: {"choices":[{"delta":', nested('{"delta":', 2e5), '\n\n', done),
    ends: bad,
  },
  {
    name: 'two million empty lists in an event',
    bytes: () => join(sse(), 'data: {"choices":[[]', repeat(',[]', 6e6), ']}\n\n', done),
    ends: bad,
  },
  {
    name: 'a million keys in an event',
    bytes: () =>
      join(
        sse(),
        'data: {"choices":[]',
        count((n) => `,"k${n}":1`, 1e6),
        '}\n\n',
        done,
      ),
    ends: bad,
  },
  {
    name: 'one key a hundred thousand times',
    bytes: () => join(sse(), 'data: {"choices":[]', repeat(',"k":1', 6e5), '}\n\n', done),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'a million choices in an event',
    bytes: () => join(sse(), 'data: {"choices":[{}', repeat(',{"delta":{"content":"x"}}', 26e6), ']}\n\n'),
    ends: bad,
  },
  {
    name: 'a choice at 2^31',
    bytes: () => join(sse(), `data: {"choices":[{"index":2147483648,"delta":{"content":"x"}}]}\n\n`, done),
    ends: bad,
  },
  {
    name: 'a choice at -1',
    bytes: () => join(sse(), `data: {"choices":[{"index":-1,"delta":{"content":"x"}}]}\n\n`, done),
    ends: bad,
  },
  {
    name: 'a tool call at 2^31',
    bytes: () => join(sse(), tool({ index: 2 ** 31, id: 'a', function: { name: 'f', arguments: '{}' } }), done),
    ends: bad,
    short: true,
  },
  {
    name: 'arguments in small pieces, each with its name',
    bytes: () =>
      join(
        sse(),
        tool({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":"' } }),
        forever(tool({ index: 0, id: 'a', function: { name: 'f', arguments: 'xyxyxyxyxyxyxyxyxyxy' } })),
      ),
    ends: ['malformed', 'answer-too-long'],
  },
  {
    name: 'arguments that look whole with every piece',
    bytes: () =>
      join(
        sse(),
        tool({ index: 0, id: 'a', function: { name: 'f', arguments: `{${x}` } }),
        forever(tool({ index: 0, function: { name: 'g', arguments: '{}' } })),
      ),
    ends: ['stopped'],
  },
  {
    name: 'tool calls without end',
    bytes: () =>
      join(
        sse(),
        count((n) => tool({ index: 0, id: `id${n}`, function: { name: 'f', arguments: '{}' } })),
      ),
    ends: bad,
  },
  {
    name: 'arguments as an object, deeply nested',
    bytes: () =>
      join(
        sse(),
        `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":`,
        nested('{"a":', 1e5),
        '1',
        nested('}', 1e5),
        `}}]}}]}\n\n`,
        done,
      ),
    ends: bad,
  },
  {
    name: 'a name of a function without end',
    bytes: () =>
      join(
        sse(),
        count((n) => tool({ index: 0, function: { name: `name${n}${'n'.repeat(900)}` } })),
      ),
    ends: bad,
  },
  {
    name: 'arguments of a legacy call without end',
    bytes: () => join(sse(), forever(event({ function_call: { name: 'f', arguments: x } }))),
    ends: ['malformed', 'answer-too-long'],
  },
  {
    name: 'thoughts without end',
    bytes: () => join(sse(), forever(event({ reasoning_content: x }))),
    ends: ['answer-too-long'],
  },
  {
    name: 'thoughts in the text without end',
    bytes: () => join(sse(), event({ content: '<think>' }), forever(event({ content: x }))),
    ends: ['answer-too-long'],
  },
  {
    name: 'white space before a thought',
    bytes: () => join(sse(), forever(event({ content: ' '.repeat(2_000) }))),
    ends: ['answer-too-long'],
  },
  { name: 'refusals without end', bytes: () => join(sse(), forever(event({ refusal: x }))), ends: ['answer-too-long'] },
  {
    name: 'a hundred thousand parts of content',
    bytes: () => join(sse(), 'data: {"choices":[{"delta":{"content":["a"', repeat(',"a"', 4e5), ']}}]}\n\n', done),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'log-probabilities of a million tokens',
    bytes: () =>
      join(
        sse(),
        'data: {"choices":[{"delta":{},"logprobs":{"content":[{}',
        repeat(',{"token":"a","logprob":-1,"top_logprobs":[]}', 45e6),
        ']}}]}\n\n',
      ),
    ends: bad,
  },
  {
    name: 'log-probabilities without end',
    bytes: () =>
      join(
        sse(),
        forever(
          event(
            { content: 'a' },
            {
              logprobs: {
                content: Array.from({ length: 500 }, () => ({
                  token: 'a',
                  logprob: -1,
                  bytes: [97],
                  top_logprobs: [],
                })),
              },
            },
          ),
        ),
      ),
    ends: ['stopped', 'answer-too-long'],
  },
  {
    name: 'another model with every delta',
    bytes: () =>
      join(
        sse(),
        count((n) => `data: {"model":"m${n % 2}","choices":[{"delta":{"content":"x"}}]}\n\n`),
      ),
    ends: ['stopped'],
  },
  {
    name: 'a model with a name of three megabytes',
    bytes: () =>
      join(sse(), `data: {"model":"`, repeat('m', 3e6), `","choices":[{"delta":{"content":"x"}}]}\n\n`, done),
    ends: ['answered'],
  },
  {
    name: 'usage of numbers too large',
    bytes: () =>
      join(
        sse(),
        'data: {"choices":[],"usage":{"prompt_tokens":1e999,"completion_tokens":-1e308,"total_tokens":1e-999}}\n\n',
        event({ content: 'x' }),
        done,
      ),
    ends: ['answered'],
  },
  {
    name: 'a reason to finish of two megabytes',
    bytes: () =>
      join(
        sse(),
        event({ content: 'x' }),
        'data: {"choices":[{"delta":{},"finish_reason":"',
        repeat('r', 2e6),
        '"}]}\n\ndata: [DONE]\n\n',
      ),
    ends: ['answered'],
  },
  {
    name: 'marks of byte order everywhere',
    bytes: () => join(sse(), repeat(`\xef\xbb\xbf${event({ content: 'x' })}`, MB), done),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'UTF-16 that calls itself so',
    bytes: () =>
      join(head('text/event-stream; charset=utf-16le'), Buffer.from(event({ content: 'x' }).repeat(10_000), 'utf16le')),
    ends: ['answered', 'malformed', 'truncated'],
  },
  {
    name: 'bytes that are no UTF-8',
    bytes: () => join(sse(), repeat('data: {"choices":[{"delta":{"content":"\xff\xfe\xc0"}}]}\n\n', MB), done),
    ends: ['answered'],
  },
  { name: 'NUL and control characters', bytes: () => join(sse(), repeat('\x00\x01\x02', 64 * MB)), ends: bad },
  {
    name: 'an error of three megabytes',
    bytes: () => join(sse(), 'data: {"error":{"message":"', repeat('e ', 3e6), '"}}\n\n'),
    ends: ['server', 'malformed'],
  },
  {
    name: 'an error that holds errors',
    bytes: () => join(sse(), 'data: ', nested('{"error":', 1e5), '1', nested('}', 1e5), '\n\n'),
    ends: ['server', 'malformed'],
  },
  { name: 'an error event without end', bytes: () => join(sse(), 'event: error\ndata: ', forever(x)), ends: bad },
  {
    name: 'a web page without end',
    bytes: () => join(head('text/html'), '<html><title>', forever(x)),
    ends: ['login-page'],
  },
  {
    name: 'much after the end',
    bytes: () => join(sse(), event({ content: 'x' }), done, forever(x)),
    ends: ['answered'],
    short: true,
  },
  { name: 'a byte at a time', bytes: () => drip(sse() + event({ content: 'x' })), stopAfter: 150, ends: ['stopped'] },
];

const chatJson: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'a message of 40 MB',
    bytes: () => join(json(), '{"choices":[{"message":{"content":"', repeat(x, 40 * MB), '"}}]}'),
    ends: ['malformed', 'answer-too-long'],
    short: true,
  },
  {
    name: 'a message of 14 MB',
    bytes: () => join(json(), '{"choices":[{"message":{"content":"', repeat(x, 14 * MB), '"}}]}'),
    ends: ['answered'],
  },
  { name: 'JSON over lines without end', bytes: () => join(json(), '{"choices":[\n', forever('{},\n')), ends: bad },
  { name: 'brackets without end', bytes: () => join(json(), forever('[')), ends: bad },
  {
    name: 'ten megabytes of empty lists',
    bytes: () => join(json(), '{"choices":[[]', repeat(',[]', 10e6), ']}'),
    ends: bad,
  },
  {
    name: 'a million keys',
    bytes: () =>
      join(
        json(),
        '{"choices":[]',
        count((n) => `,"k${n}":1`, 1e6),
        '}',
      ),
    ends: bad,
  },
  {
    name: 'a number of ten megabytes',
    bytes: () => join(json(), '{"choices":[],"created":', repeat('1', 10 * MB), '}'),
    ends: bad,
  },
  {
    name: 'a million choices',
    bytes: () => join(json(), '{"choices":[{}', repeat(',{"message":{"content":"x"}}', 28e6), ']}'),
    ends: bad,
  },
  {
    name: 'two hundred thousand tool calls',
    bytes: () =>
      join(
        json(),
        '{"choices":[{"message":{"tool_calls":[{}',
        repeat(',{"function":{"name":"f","arguments":"{}"}}', 8e6),
        ']}}]}',
      ),
    ends: bad,
  },
  {
    name: 'lines of JSON without end',
    bytes: () => join(head('application/x-ndjson'), forever('{"choices":[{"delta":{"content":"x"}}]}\n')),
    ends: ['stopped'],
  },
  {
    name: 'much after a message',
    bytes: () =>
      join(json(), '{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}', repeat(' garbage', MB)),
    ends: bad,
  },
  { name: 'white space without end', bytes: () => join(json(), forever(' \n')), ends: ['stopped'] },
  {
    name: 'log-probabilities of 300,000 tokens',
    bytes: () =>
      join(
        json(),
        '{"choices":[{"message":{"content":"x"},"logprobs":{"content":[{}',
        repeat(',{"token":"a","logprob":-1,"top_logprobs":[]}', 13e6),
        ']}}]}',
      ),
    ends: ['answered', 'malformed'],
  },
];

const embeddings: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'numbers without end in one vector',
    bytes: () => join(json(), '{"data":[{"index":0,"embedding":[0.5', forever(',0.123456789')),
    ends: bad,
    short: true,
  },
  {
    name: 'a number of digits without end',
    bytes: () => join(json(), '{"data":[{"index":0,"embedding":[0.', forever('123456789')),
    ends: bad,
  },
  { name: 'vectors without end', bytes: () => join(json(), '{"data":[', forever(`${item('[0.5]')},`)), ends: bad },
  { name: 'items without end', bytes: () => join(json(), '{"data":[{}', forever(',{}')), ends: bad },
  {
    name: 'vectors of 60,000 numbers without end',
    bytes: () => join(json(), '{"data":[', forever(`${item(`[0.5${',0.25'.repeat(60_000)}]`)},`)),
    ends: bad,
  },
  {
    name: 'numbers that are too large',
    bytes: () => join(json(), `{"data":[${item('[1e999,1]')},${item('[1,-1e999]')}]}`),
    ends: bad,
  },
  {
    name: 'base64 without end',
    bytes: () => join(json(), '{"data":[{"index":0,"embedding":"', forever('AAAA')),
    ends: bad,
    short: true,
  },
  {
    name: 'base64 of nothing but padding',
    bytes: () => join(json(), `{"data":[{"index":0,"embedding":"`, repeat('=', 400_000), '="},', item('[1]'), ']}'),
    ends: bad,
  },
  {
    name: 'padding, and then something else',
    bytes: () => join(json(), `{"data":[{"index":0,"embedding":"`, repeat('=', 400_000), 'A"},', item('[1]'), ']}'),
    ends: bad,
  },
  {
    name: 'vectors within vectors',
    bytes: () => join(json(), '{"data":[{"embedding":', nested('[', 1e6)),
    ends: [...bad],
  },
  {
    name: 'a name of a model of 100 MB',
    bytes: () => join(json(), '{"model":"', repeat(x, 100 * MB), '"}'),
    ends: bad,
  },
  {
    name: 'an index of 2^53',
    bytes: () => join(json(), `{"data":[{"index":9007199254740993,"embedding":[1]},${item('[1]')}]}`),
    ends: bad,
  },
  { name: 'one index for both', bytes: () => join(json(), `{"data":[${item('[1]')},${item('[1]')}]}`), ends: bad },
];

const models: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'a list of 500 MB',
    bytes: () => join(json(), '{"data":[{"id":"m"}', repeat(',{"id":"model","owned_by":"somebody"}', 500 * MB), ']}'),
    ends: ['answered', 'malformed'],
    short: true,
  },
  {
    name: 'a list of 100,000',
    bytes: () =>
      join(
        json(),
        '{"data":[{"id":"m"}',
        count((n) => `,{"id":"model-${(n * 7919) % 100_000}","object":"model"}`, 1e5),
        ']}',
      ),
    ends: ['answered'],
    short: true,
  },
  {
    name: 'a name of 10 MB',
    bytes: () => join(json(), '{"data":[{"id":"', repeat(x, 10 * MB), '"}]}'),
    ends: ['answered', 'malformed'],
    short: true,
  },
  {
    name: 'a name of 4 MB',
    bytes: () => join(json(), '{"data":[{"id":"', repeat(x, 4 * MB), '"},{"id":"sound"}]}'),
    ends: ['answered'],
  },
  {
    name: 'a million strings',
    bytes: () =>
      join(
        json(),
        '["m"',
        count((n) => `,"m${n}"`, 1e6),
        ']',
      ),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'an entry with 400,000 abilities',
    bytes: () =>
      join(
        json(),
        '{"data":[{"id":"m","capabilities":{"a":true',
        count((n) => `,"c${n}":true`, 4e5),
        '}}]}',
      ),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'seven megabytes of empty lists',
    bytes: () => join(json(), '{"data":[[]', repeat(',[]', 7e6), ']}'),
    ends: ['answered', 'malformed'],
  },
  { name: 'a list in brackets', bytes: () => join(json(), nested('[', 1e6), nested(']', 1e6)), ends: ['answered'] },
  {
    name: 'a list that does not end',
    bytes: () => join(json(), '{"data":[', forever('{"id":"m"},')),
    ends: ['answered', 'malformed'],
  },
];

const audio: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'a translation of 60 MB',
    bytes: () => join(json(), '{"text":"', repeat('word ', 60 * MB), '"}'),
    ends: ['malformed'],
    short: true,
  },
  {
    name: 'a million segments',
    bytes: () =>
      join(
        json(),
        '{"text":"x","segments":[{"start":0,"end":1,"text":"x"}',
        repeat(',{"start":0,"end":1,"text":"x"}', 31e6),
        ']}',
      ),
    ends: bad,
    short: true,
  },
  {
    name: 'ninety thousand segments with tokens',
    bytes: () =>
      join(
        json(),
        '{"text":"x","segments":[{"start":0,"end":1,"text":"x"}',
        repeat(
          `,{"id":1,"start":1,"end":2,"text":"a few words of it","tokens":[${'50364,'.repeat(20)}1],"temperature":0,"avg_logprob":-0.3}`,
          20e6,
        ),
        ']}',
      ),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'a hundred thousand segments with all their measures',
    bytes: () =>
      join(
        json(),
        '{"text":"x","segments":[{"start":0,"end":1,"text":"x"}',
        count(
          (n) =>
            `,{"start":${n}.5,"end":${n}.75,"text":"word ${n}","avg_logprob":-0.${n},"no_speech_prob":0.${n},"compression_ratio":1.${n}}`,
          99_999,
        ),
        ']}',
      ),
    ends: ['answered'],
    short: true,
  },
  {
    name: 'a segment with tokens without end',
    bytes: () => join(json(), '{"text":"x","segments":[{"start":0,"end":1,"text":"x","tokens":[1', forever(',50364')),
    ends: bad,
  },
  {
    name: 'segments at no time',
    bytes: () =>
      join(
        json(),
        '{"text":"x","segments":[{"start":1e999,"end":-1e999,"text":"x"},{"start":null,"end":"1","text":3}]}',
      ),
    ends: ['answered', 'malformed'],
  },
  { name: 'plain text of 60 MB', bytes: () => join(head('text/plain'), repeat('word ', 60 * MB)), ends: ['malformed'] },
  {
    name: 'plain text that calls itself JSON, 12 MB',
    bytes: () => join(json(), repeat('word ', 12 * MB)),
    ends: ['answered', 'malformed'],
    short: true,
  },
  { name: 'white space of 60 MB', bytes: () => join(json(), repeat(' ', 60 * MB)), ends: ['answered', 'malformed'] },
  {
    name: 'a list of a million words',
    bytes: () =>
      join(json(), '{"text":"x","words":[{"word":"x"}', repeat(',{"word":"x","start":1,"end":2}', 31e6), ']}'),
    ends: ['answered', 'malformed'],
  },
  {
    name: 'brackets in a sentence',
    bytes: () => join(head('text/plain'), nested('[', 1e6)),
    ends: ['answered', 'malformed'],
  },
];

const errors: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'a refusal of 100 MB',
    bytes: () => refused('400 Bad', join('{"error":{"message":"', repeat(x, 100 * MB))),
    ends: ['bad-request'],
    short: true,
  },
  {
    name: 'comments before a page that never comes',
    bytes: () => refused('400 Bad', ['<!---->'.repeat(500)]),
    ends: ['bad-request'],
    short: true,
  },
  {
    name: 'details within details',
    bytes: () => refused('422 Bad', join(nested('{"detail":', 2e4), '"x"', nested('}', 2e4))),
    ends: ['bad-request'],
  },
  {
    name: 'errors in errors',
    bytes: () => refused('400 Bad', join(nested('{"error":', 1e5), '"x"', nested('}', 1e5))),
    ends: ['bad-request'],
  },
  {
    name: 'lists of errors',
    bytes: () => refused('400 Bad', join('{"errors":[[]', repeat(',[]', MB), ']}')),
    ends: ['bad-request'],
  },
  {
    name: 'a message in a message',
    bytes: () => refused('400 Bad', ['{"message":"', '{\\"message\\":'.repeat(20_000), '"}']),
    ends: ['bad-request'],
  },
  {
    name: 'quotes around a message',
    bytes: () => refused('400 Bad', [`{'message': '${"\\'message': '".repeat(5_000)}`]),
    ends: ['bad-request'],
  },
  {
    name: 'words that look like keys',
    bytes: () =>
      refused('400 Bad', [JSON.stringify({ error: { message: 'key-a_token=//a:b?sig=&x-api-key: sk-'.repeat(400) } })]),
    ends: ['bad-request', 'auth'],
  },
  {
    name: 'a title of a megabyte',
    bytes: () => refused('401 No', join('<html><title>', repeat('<h1 ', MB), '</title>')),
    ends: ['auth', 'login-page'],
  },
  {
    name: 'a wait in many letters',
    bytes: () => refused('503 Busy', ['{}'], `Retry-After: ${'a'.repeat(15_000)}\r\n`),
    ends: ['overloaded'],
    short: true,
  },
  {
    name: 'a wait for ever',
    bytes: () => refused('429 Slow', ['{}'], 'Retry-After-Ms: 1e308\r\nRetry-After: 99999999999999999999\r\n'),
    ends: ['rate-limit'],
  },
  {
    name: 'limits without sense',
    bytes: () =>
      refused(
        '429 Slow',
        ['{}'],
        `x-ratelimit-remaining-requests: 1e308\r\nx-ratelimit-reset-requests: ${'1h'.repeat(4_000)}\r\nx-ratelimit-remaining-tokens: -0\r\nx-ratelimit-reset-tokens: ${'9'.repeat(4_000)}\r\n`,
      ),
    ends: ['rate-limit'],
  },
  {
    name: 'a wait in words, in many words',
    bytes: () =>
      refused('429 Slow', [
        JSON.stringify({ error: { message: `try again ${'in a wait retry '.repeat(2_000)} 1${'1'.repeat(4_000)}s` } }),
      ]),
    ends: ['rate-limit'],
  },
];

const heads: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'a million headers',
    bytes: () =>
      join(
        'HTTP/1.1 200 OK\r\n',
        count((n) => `X-${n}: y\r\n`, 1e6),
        '\r\n',
      ),
    directBlocks: true,
    ends: bad,
    short: true,
  },
  { name: 'a header that does not end', bytes: () => join('HTTP/1.1 200 OK\r\nX: ', forever(x)), ends: bad },
  {
    name: 'a status that does not end',
    bytes: () => join('HTTP/1.1 200 ', forever(x)),
    directBlocks: true,
    ends: [...bad, 'stopped'],
  },
  { name: 'no HTTP at all', bytes: () => forever(x), ends: bad },
  {
    name: '103 without end',
    bytes: () => forever('HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'),
    directBlocks: true,
    ends: ['stopped', 'malformed', 'reset'],
    short: true,
  },
  {
    name: '100 without end',
    bytes: () => forever('HTTP/1.1 100 Continue\r\n\r\n'),
    directBlocks: true,
    ends: ['stopped', 'malformed', 'reset'],
  },
  {
    name: '101 to another protocol',
    bytes: () => join('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', forever(x)),
    ends: ['malformed', 'reset', 'stopped'],
  },
  {
    name: 'a redirect to a file',
    bytes: () => ['HTTP/1.1 307 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n'],
    ends: ['redirect'],
    short: true,
  },
  {
    name: 'a redirect to data',
    bytes: () => [`HTTP/1.1 307 Moved\r\nLocation: data:text/html,${'x'.repeat(8_000)}\r\nContent-Length: 0\r\n\r\n`],
    ends: ['redirect'],
    short: true,
  },
  {
    name: 'a redirect to itself',
    bytes: () => ['HTTP/1.1 307 Moved\r\nLocation: completions\r\nContent-Length: 0\r\n\r\n'],
    ends: ['redirect', 'reset', 'not-found'],
  },
  {
    name: 'a redirect with a body without end',
    bytes: () => join('HTTP/1.1 307 Moved\r\nLocation: completions\r\n\r\n', forever(x)),
    ends: ['redirect', 'reset', 'not-found'],
  },
  {
    name: 'a charset of many letters',
    bytes: () => join(head(`application/json; charset=${'u'.repeat(8_000)}`), '{}'),
    ends: bad,
  },
  {
    name: 'a length that is too long',
    bytes: () => [
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99999\r\n\r\n',
      event({ content: 'x' }),
    ],
    ends: ['truncated', 'reset'],
  },
  {
    name: 'a length that is too short',
    bytes: () => [
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 20\r\n\r\n',
      event({ content: 'x' }),
      done,
    ],
    ends: ['truncated', 'malformed', 'reset'],
  },
  {
    name: 'two lengths',
    bytes: () => ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\n', event({ content: 'x' })],
    ends: ['malformed', 'reset', 'truncated'],
  },
  {
    name: 'a length below nothing',
    bytes: () => ['HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n', event({ content: 'x' })],
    ends: bad,
  },
];

const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunks: Omit<HostileAnswer, 'operation'>[] = [
  { name: 'a chunk of 2^64 bytes', bytes: () => [chunked, 'ffffffffffffffffff\r\n', x], ends: ['malformed', 'reset'] },
  {
    name: 'a size of a chunk that does not end',
    bytes: () => join(chunked, forever('0')),
    ends: ['stopped', 'malformed', 'reset'],
  },
  {
    name: 'an extension of a chunk that does not end',
    bytes: () => join(chunked, '1;a=', forever(x)),
    ends: ['stopped', 'malformed', 'reset'],
  },
  {
    name: 'trailers without end',
    bytes: () =>
      join(
        chunked,
        chunk(event({ content: 'x' })),
        '0\r\n',
        count((n) => `X-${n}: y\r\n`),
      ),
    directBlocks: true,
    ends: ['malformed', 'truncated', 'reset', 'stopped'],
  },
  {
    name: 'chunks of one byte',
    bytes: () =>
      join(
        chunked,
        ...event({ content: 'x' })
          .repeat(5_000)
          .split(/(?<=\n\n)/)
          .map((part) => [...part].map(chunk).join('')),
        chunk(done),
        '0\r\n\r\n',
      ),
    directBlocks: true,
    longestBlock: 24,
    ends: ['answered'],
  },
  { name: 'a chunk that ends early', bytes: () => [chunked, '0\r\n\r\n', x], ends: ['malformed', 'truncated'] },
  {
    name: 'noise between chunks',
    bytes: () => [chunked, chunk(event({ content: 'x' })), 'noise', chunk(done)],
    ends: ['malformed', 'truncated', 'reset'],
  },
];

const coded = (coding: string, type = 'text/event-stream'): string =>
  head(type, '200 OK', `Content-Encoding: ${coding}\r\n`);
const gigabytes = 10 * 1024;
const delta = event({ content: 'a ' });
const packs: Omit<HostileAnswer, 'operation'>[] = [
  {
    name: 'ten gigabytes of text in two codings',
    bytes: () => [coded('gzip, gzip'), gzipTwice(event({ content: 'x'.repeat(MB) }), gigabytes)],
    ends: ['malformed', 'answer-too-long'],
    short: true,
  },
  {
    name: 'ten gigabytes of small deltas in two codings',
    bytes: () => [coded('gzip, gzip'), gzipTwice(delta.repeat(MB / delta.length), gigabytes)],
    byEditor: ['stopped'],
    ends: bad,
    short: true,
  },
  {
    name: 'ten gigabytes of heartbeats in two codings',
    bytes: () => [coded('gzip, gzip'), gzipTwice(': ping\n\n'.repeat(MB / 8), gigabytes)],
    ends: bad,
  },
  {
    name: 'small deltas packed once',
    bytes: () => [coded('gzip'), packed('gzip', '', delta, 100 * MB)],
    byEditor: ['truncated'],
    ends: bad,
  },
  {
    name: 'heartbeats under deflate',
    bytes: () => [coded('deflate'), packed('deflate', '', ': ping\n\n', 100 * MB)],
    ends: bad,
    short: true,
  },
  {
    name: 'heartbeats under raw deflate',
    bytes: () => [coded('deflate'), packed('raw', '', ': ping\n\n', 100 * MB)],
    ends: bad,
  },
  { name: 'heartbeats under brotli', bytes: () => [coded('br'), packed('br', '', ': ping\n\n', 100 * MB)], ends: bad },
  {
    name: 'nothing, packed in many empty members',
    bytes: () => [coded('gzip, gzip'), gzipTwice('', 2e6)],
    ends: ['malformed', 'truncated'],
  },
  {
    name: 'ten codings',
    bytes: () => [coded(Array.from({ length: 10 }, () => 'gzip').join(', ')), gzipTwice('x', 1)],
    byEditor: ['reset'],
    ends: bad,
  },
  {
    name: 'ten thousand codings',
    bytes: () => [coded('gzip,'.repeat(2_500)), gzipTwice('x', 1)],
    byEditor: ['reset'],
    ends: bad,
    short: true,
  },
  {
    name: 'a packed stream, open, that is cut',
    bytes: () => [coded('gzip'), gzipSync(event({ content: 'x' }) + done).subarray(0, -9)],
    ending: 'cut',
    ends: ['answered', 'truncated', 'reset'],
  },
  {
    name: 'noise after gzip',
    bytes: () => join(coded('gzip'), gzipSync(event({ content: 'x' }) + done), forever(x)),
    ends: ['answered', 'malformed'],
  },
  { name: 'noise that calls itself gzip', bytes: () => join(coded('gzip'), forever(x)), ends: bad },
  {
    name: 'an unknown coding',
    bytes: () => [coded('zstd'), event({ content: 'x' }), done],
    ends: ['answered', 'malformed'],
  },
];

const packedElsewhere: HostileAnswer[] = [
  {
    name: 'an audio bomb',
    operation: 'audio',
    bytes: () => [coded('gzip, gzip', 'application/json'), gzipTwice('word '.repeat(200_000), gigabytes)],
    ends: bad,
    short: true,
  },
  {
    name: 'an audio bomb of brackets',
    operation: 'audio',
    bytes: () => [coded('deflate', 'application/json'), packed('deflate', '{"text":', '[', 100 * MB)],
    ends: bad,
  },
  {
    name: 'a bomb for a list of models',
    operation: 'models',
    bytes: () => [coded('gzip, gzip', 'application/json'), gzipTwice(' '.repeat(MB), gigabytes)],
    ends: ['answered', 'malformed'],
  },
  {
    name: 'a bomb for vectors',
    operation: 'embeddings',
    bytes: () => [coded('gzip, gzip', 'application/json'), gzipTwice(' '.repeat(MB), gigabytes)],
    ends: bad,
  },
  {
    name: 'a bomb for an error',
    operation: 'chat',
    bytes: () => [
      head('application/json', '400 Bad', 'Content-Encoding: gzip, gzip\r\n'),
      gzipTwice(' '.repeat(MB), gigabytes),
    ],
    ends: ['bad-request'],
  },
];

async function* drip(text: string): AsyncGenerator<string> {
  for (const letter of text) {
    yield letter;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (;;) {
    yield ':';
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const all = (
  operation: HostileAnswer['operation'],
  list: readonly Omit<HostileAnswer, 'operation'>[],
): HostileAnswer[] => list.map((each) => ({ ...each, operation }));

export const hostileAnswers: readonly HostileAnswer[] = [
  ...all('chat', chat),
  ...all('chat-json', chatJson),
  ...all('embeddings', embeddings),
  ...all('models', models),
  ...all('audio', audio),
  ...all('chat', errors),
  ...all('chat', heads),
  ...all('chat', chunks),
  ...all('chat', packs),
  ...packedElsewhere,
];

import type { CorpusCase } from './case.ts';
import { answer, chunk, done, events, finish, sound, word } from './pieces.ts';

const two = [word('Hel'), word('lo')];
const plain = events(...two, finish(), done);
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const counted = { prompt: 3, completion: 2 };
const stop = { finishReason: 'stop' };

/** Streams whose form differs from what the standard shows, and which are whole all the same. */
const forms: CorpusCase[] = [
  sound('line feeds', [5], plain, { ...stop, usage: 'unknown' }),
  sound('carriage returns and line feeds', [5], plain.replaceAll('\n', '\r\n'), stop),
  sound('carriage returns alone', [5], plain.replaceAll('\n', '\r'), stop),
  sound(
    'line ends of all kinds',
    [5],
    `data: ${two[0]}\r\n\ndata: ${two[1]}\r\rdata: ${finish()}\n\r\ndata: [DONE]\r\n\r\n`,
  ),
  sound('a byte order mark', [5], `\uFEFF${plain}`),
  sound('white space before the first event', [5], `\n\n${plain}`),
  sound(
    'data over several lines',
    [5],
    `data: {"choices":[{"index":0,\ndata: "delta":{"content":"Hello"}}]}\n\n${events(finish(), done)}`,
  ),
  sound(
    'data split within a name',
    [5],
    `data: {"choices":[{"index":0,"del\ndata: ta":{"content":"Hello"}}]}\n\n${events(finish(), done)}`,
  ),
  sound('no space after the colon', [5], plain.replaceAll('data: ', 'data:')),
  sound(
    'characters split between packets',
    [5],
    [...Buffer.from(events(word('Grüße 👋'), finish(), done))].map((byte) => Uint8Array.of(byte)),
    { text: 'Grüße 👋' },
  ),
  sound('comments', [4], `: open\n\n${events(two[0] ?? '')}: ping\n\n${events(two[1] ?? '', finish(), done)}`),
  sound('a ping event without data', [4], `event: ping\n\n${plain}`),
  sound('a ping event with data', [4], `event: ping\ndata: {"type":"ping"}\n\n${plain}`),
  sound('empty data', [4], `data:\n\n${events(two[0] ?? '')}data: \n\n${events(two[1] ?? '', finish(), done)}`),
  sound('id, retry and unknown fields', [4], `id: 1\nretry: 500\nnonsense\n${plain}`),
  sound('named events', [4], plain.replaceAll('data:', 'event: message\ndata:')),
  sound('[DONE] with spaces', [3], events(...two, finish(), ' [DONE] ')),
  sound('[DONE] without finish_reason', [2], events(...two, done)),
  sound('finish_reason without [DONE]', [2], events(...two, finish()), stop),
  sound('finish_reason, then a cut', [2], events(...two, finish()), stop, { ending: 'cut' }),
  sound('nonsense after [DONE]', [3], `${plain}data: {oops\n\n`),
  sound(
    'a last event without its blank line',
    [6],
    `${events(...two, finish())}data: ${JSON.stringify({ choices: [], usage })}`,
    { usage: counted },
  ),
  sound('events parted by single line feeds', [7], [...two, finish(), done].map((each) => `data: ${each}\n`).join('')),
  sound(
    'one JSON body',
    [8],
    answer({ role: 'assistant', content: 'Hello' }, { usage }),
    { ...stop, usage: counted },
    { headers: { 'content-type': 'application/json' } },
  ),
  sound('one JSON body over many lines', [8], JSON.stringify(JSON.parse(answer({ content: 'Hello' })), null, 2), stop, {
    headers: { 'content-type': 'application/json' },
  }),
  sound('one JSON body that says it is a stream', [8], `\n${answer({ content: 'Hello' })}\n`, stop),
  sound('NDJSON', [9], `${[...two, finish()].join('\n')}\n`, stop, {
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  sound(
    'NDJSON in small packets',
    [9],
    [...two, finish()].flatMap((line) => [line.slice(0, 20), line.slice(20), '\n']),
    stop,
  ),
  sound(
    'NDJSON of Ollama',
    [9],
    `{"model":"m","message":{"role":"assistant","content":"Hel"},"done":false}\n{"model":"m","message":{"content":"lo"},"done":false}\n{"model":"m","message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}\n`,
    { ...stop, usage: counted },
  ),
  sound('a stream where none was asked for', [8], plain, stop, {
    stream: false,
    headers: { 'content-type': 'text/event-stream' },
  }),
  sound(
    'one whole answer',
    [],
    answer({ role: 'assistant', content: 'Hello' }, { usage }),
    { ...stop, usage: counted },
    { stream: false },
  ),
  sound(
    'a whole answer without finish_reason',
    [14],
    answer({ content: 'Hello' }, {}, { finish_reason: null }),
    {},
    { stream: false },
  ),
];

/** Chunks whose members differ. */
const members: CorpusCase[] = [
  sound(
    '"error": null in each chunk',
    [12],
    events(...two.map((each) => each.replace('{', '{"error":null,')), finish(), done),
  ),
  sound(
    'a usage chunk with no choices',
    [13, 15],
    events(...two, finish(), JSON.stringify({ choices: [], usage }), done),
    { usage: counted },
  ),
  sound('a usage chunk without choices', [13, 15], events(...two, finish(), JSON.stringify({ usage }), done), {
    usage: counted,
  }),
  sound('a chunk with choices null', [13], events(JSON.stringify({ choices: null }), ...two, finish(), done)),
  sound(
    'finish_reason "" until the end',
    [14],
    events(...two.map((each) => each.replace('"finish_reason":null', '"finish_reason":""')), finish(), done),
    stop,
  ),
  sound('finish_reason eos', [14], events(...two, finish('eos'), done), stop),
  sound('a finish_reason nobody knows', [14], events(...two, finish('ennui'), done), { finishReason: 'ennui' }),
  sound('finish_reason sensitive', [14], events(...two, finish('sensitive'), done), { finishReason: 'content_filter' }),
  sound('finish_reason "null" until the end', [14], events(...two, finish('null'), finish(), done), stop),
  sound('finish_reason length', [14], events(...two, finish('length'), done), { finishReason: 'length' }),
  sound('finish_reason MAX_TOKENS', [14], events(...two, finish('MAX_TOKENS'), done), { finishReason: 'length' }),
  sound(
    'finish_reason in every chunk',
    [14],
    events(...two.map((each) => each.replace('"finish_reason":null', '"finish_reason":"stop"')), done),
    stop,
  ),
  sound('usage in x_groq', [15], events(...two, finish('stop', { x_groq: { id: 'req_1', usage } }), done), {
    usage: counted,
  }),
  sound(
    'usage null, then given',
    [15],
    events(
      word('Hello', { usage: null }),
      finish('stop', { usage: null }),
      JSON.stringify({ choices: [], usage }),
      done,
    ),
    { usage: counted },
  ),
  sound(
    'usage that grows with every chunk',
    [15],
    events(
      word('Hel', { usage: { ...usage, completion_tokens: 1 } }),
      word('lo', { usage }),
      finish('stop', { usage: null }),
      done,
    ),
    { usage: counted },
  ),
  sound('usage in the choice', [15], events(...two, chunk({}, {}, { finish_reason: 'stop', usage }), done), {
    usage: counted,
  }),
  sound(
    'usage whose members are null',
    [15],
    events(...two, finish('stop', { usage: { prompt_tokens: null, completion_tokens: null } }), done),
    { usage: 'unknown' },
  ),
  sound('role "" or missing', [16], events(chunk({ role: '', content: '' }), ...two, finish(), done)),
  sound('content null', [17], events(chunk({ role: 'assistant', content: null }), ...two, finish(), done)),
  sound(
    'content in parts',
    [17],
    events(
      chunk({ content: [{ type: 'text', text: 'Hel' }] }),
      chunk({ content: [{ type: 'text', text: 'lo' }] }),
      finish(),
      done,
    ),
  ),
  sound('content that is a number', [17], events(chunk({ content: 42 }), finish(), done), { text: '42' }),
  sound(
    'content in parts of a whole answer',
    [17],
    answer({ content: [{ type: 'text', text: 'Hello' }] }),
    {},
    { stream: false },
  ),
  sound(
    'the state of a good answer in base_resp',
    [12],
    [events(...two, finish('stop', { base_resp: { status_code: 0, status_msg: '' } }), done)],
  ),
  sound('an empty error object', [12], events(...two.map((each) => each.replace('{', '{"error":{},')), finish(), done)),
  sound('delta null', [17], events(chunk(null), ...two, finish(), done)),
  sound(
    'reasoning_content',
    [18],
    events(
      chunk({ reasoning_content: 'Hm, ' }),
      chunk({ reasoning_content: 'well.', content: null }),
      ...two,
      finish(),
      done,
    ),
    { reasoning: 'Hm, well.' },
  ),
  sound('reasoning', [18], events(chunk({ reasoning: 'Hm.' }), ...two, finish(), done), { reasoning: 'Hm.' }),
  sound(
    'thoughts in tags',
    [18],
    events(word('<th'), word('ink>Hm.</thi'), word('nk>\n\nHel'), word('lo'), finish(), done),
    { reasoning: 'Hm.' },
  ),
  sound(
    'thoughts in tags of a whole answer',
    [18],
    answer({ content: '<think>\nHm.</think>\n\nHello' }),
    { reasoning: '\nHm.' },
    { stream: false },
  ),
  sound('a tag within the text', [18], events(word('a <think> tag'), finish(), done), { text: 'a <think> tag' }),
  sound('a beginning that is no tag', [18], events(word('<'), word('b>'), finish(), done), { text: '<b>' }),
  sound(
    'choices that take turns',
    [23],
    events(
      word('Hel'),
      chunk({ content: 'Good' }, {}, { index: 1 }),
      word('lo'),
      chunk({ content: 'bye' }, {}, { index: 1 }),
      finish(),
      chunk({}, {}, { index: 1, finish_reason: 'stop' }),
      done,
    ),
    { text: ['Hello', 'Goodbye'] },
  ),
  sound(
    'two choices in one chunk',
    [23],
    events(
      JSON.stringify({
        choices: [
          { index: 1, delta: { content: 'Bye' } },
          { index: 0, delta: { content: 'Hello' } },
        ],
      }),
      done,
    ),
    { text: ['Hello', 'Bye'] },
  ),
  sound('choices without index', [23], events(JSON.stringify({ choices: [{ delta: { content: 'Hello' } }] }), done)),
  sound(
    'log-probabilities as services write them',
    [54],
    events(
      chunk(
        { content: 'Hello' },
        {},
        { logprobs: { content: [{ token: 'Hello', logprob: -9999, bytes: null, top_logprobs: [] }] } },
      ),
      chunk({}, {}, { logprobs: null, finish_reason: 'stop' }),
      done,
    ),
  ),
  sound(
    'names that objects inherit',
    [55],
    events(
      '{"__proto__":{"polluted":true},"constructor":1,"choices":[{"index":0,"delta":{"content":"Hello","__proto__":{"content":"no"}}}]}',
      finish(),
      done,
    ),
  ),
  sound(
    'deep nesting in a member nobody reads',
    [55],
    events(
      `{"choices":[{"index":0,"delta":{"content":"Hello"}}],"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      finish(),
      done,
    ),
  ),
  sound('an answer of no words', [13], events(chunk({ role: 'assistant', content: '' }), finish(), done), { text: '' }),
];

export const soundStreams: readonly CorpusCase[] = [...forms, ...members];

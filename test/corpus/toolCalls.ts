import type { CorpusCase, Expected } from './case.ts';
import { answer, broken, chunk, done, events, finish, sound } from './pieces.ts';

type Made = NonNullable<Extract<Expected, { ok: true }>['toolCalls']>;

const x = '{"x":1}';
const y = '{"y":2}';
const callA = { id: 'call_a', name: 'find', arguments: x };
const callB = { id: 'call_b', name: 'read', arguments: y };

/** A delta with pieces of tool calls. */
const piece = (...calls: unknown[]): string => chunk({ tool_calls: calls });
/** A piece as services write the first of a call. */
const begin = (index: number | undefined, id: string | undefined, name: string, args: unknown = ''): unknown => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: args },
});
const more = (index: number | undefined, args: unknown, rest: Record<string, unknown> = {}): unknown => ({
  ...(index === undefined ? {} : { index }),
  ...rest,
  function: { arguments: args },
});

function calls(
  name: string,
  quirks: readonly number[],
  pieces: readonly string[],
  toolCalls: Made,
  reason = 'tool_calls',
): CorpusCase {
  const body = events(chunk({ role: 'assistant', content: null }), ...pieces, finish(reason), done);
  return sound(name, quirks, body, { text: '', toolCalls, finishReason: 'tool_calls' });
}

const whole = (name: string, quirks: readonly number[], toolCalls: unknown, made: Made, reason = 'tool_calls') =>
  sound(
    name,
    quirks,
    answer({ role: 'assistant', content: null, tool_calls: toolCalls }, {}, { finish_reason: reason }),
    { text: '', toolCalls: made, finishReason: 'tool_calls' },
    { stream: false },
  );

/** Calls of tools, in all forms that services were seen to use. */
export const toolCallCases: readonly CorpusCase[] = [
  calls(
    'one call in pieces',
    [19],
    [piece(begin(0, 'call_a', 'find')), piece(more(0, '{"x"')), piece(more(0, ':1}'))],
    [callA],
  ),
  calls(
    'two calls that take turns',
    [19],
    [
      piece(begin(0, 'call_a', 'find')),
      piece(begin(1, 'call_b', 'read')),
      piece(more(0, '{"x"')),
      piece(more(1, '{"y"')),
      piece(more(0, ':1}')),
      piece(more(1, ':2}')),
    ],
    [callA, callB],
  ),
  calls(
    'two calls in one chunk',
    [19],
    [piece(begin(0, 'call_a', 'find', x), begin(1, 'call_b', 'read', y))],
    [callA, callB],
  ),
  calls(
    'id and name in every piece',
    [20],
    [
      piece(begin(0, 'call_a', 'find')),
      piece(begin(0, 'call_a', 'find', '{"x"')),
      piece(begin(0, 'call_a', 'find', ':1}')),
    ],
    [callA],
  ),
  calls(
    'id "" in later pieces',
    [20],
    [piece(begin(0, 'call_a', 'find')), piece(more(0, '{"x"', { id: '' })), piece(more(0, ':1}', { id: '' }))],
    [callA],
  ),
  calls('id null in later pieces', [20], [piece(begin(0, 'call_a', 'find')), piece(more(0, x, { id: null }))], [callA]),
  calls(
    'no id at all',
    [20],
    [piece(begin(0, undefined, 'find')), piece(more(0, x))],
    [{ name: 'find', arguments: x }],
  ),
  calls(
    'an id that comes later',
    [20],
    [piece(begin(0, undefined, 'find')), piece(more(0, x, { id: 'call_a' }))],
    [callA],
  ),
  calls(
    'one id for two calls',
    [20],
    [piece(begin(0, 'call_a', 'find', x)), piece(begin(1, 'call_a', 'read', y))],
    [callA, { name: 'read', arguments: y }],
  ),
  calls(
    'arguments null',
    [21],
    [piece(begin(0, 'call_a', 'find', null)), piece(more(0, x)), piece(more(0, null))],
    [callA],
  ),
  calls(
    'no arguments',
    [21],
    [piece({ index: 0, id: 'call_a', type: 'function', function: { name: 'find' } })],
    [{ ...callA, arguments: '' }],
  ),
  calls(
    'a name that comes later',
    [19],
    [
      piece({ index: 0, id: 'call_a', type: 'function', function: { arguments: '' } }),
      piece({ index: 0, function: { name: 'find', arguments: x } }),
    ],
    [callA],
  ),
  sound('no role in the first delta', [16], events(piece(begin(0, 'call_a', 'find', x)), finish('tool_calls'), done), {
    text: '',
    toolCalls: [callA],
  }),
  calls(
    'no index, two calls',
    [19],
    [piece(begin(undefined, 'call_a', 'find', x)), piece(begin(undefined, 'call_b', 'read', y))],
    [callA, callB],
  ),
  calls(
    'no index, arguments in pieces',
    [19],
    [
      piece(begin(undefined, 'call_a', 'find')),
      piece(more(undefined, '{"x"')),
      piece(more(undefined, ':1}')),
      piece(begin(undefined, 'call_b', 'read')),
      piece(more(undefined, y)),
    ],
    [callA, callB],
  ),
  calls(
    'no index and no id, two calls',
    [19, 20],
    [piece(begin(undefined, undefined, 'find', x), begin(undefined, undefined, 'read', y))],
    [
      { name: 'find', arguments: x },
      { name: 'read', arguments: y },
    ],
  ),
  calls(
    'no index and no id, the same tool twice',
    [19, 20],
    [piece(begin(undefined, undefined, 'find', x)), piece(begin(undefined, undefined, 'find', y))],
    [
      { name: 'find', arguments: x },
      { name: 'find', arguments: y },
    ],
  ),
  calls(
    'index 0 for both',
    [19],
    [piece(begin(0, 'call_a', 'find', x)), piece(begin(0, 'call_b', 'read', y))],
    [callA, callB],
  ),
  calls(
    'index 0 for both, in pieces',
    [19],
    [piece(begin(0, 'call_a', 'find')), piece(more(0, x)), piece(begin(0, 'call_b', 'read')), piece(more(0, y))],
    [callA, callB],
  ),
  calls(
    'index that starts at 1',
    [19],
    [piece(begin(1, 'call_a', 'find')), piece(more(1, x)), piece(begin(2, 'call_b', 'read', y))],
    [callA, callB],
  ),
  calls('arguments as an object', [21], [piece(begin(0, 'call_a', 'find', { x: 1 }))], [callA]),
  calls(
    'the whole call repeated',
    [21],
    [piece(begin(0, 'call_a', 'find', x)), piece(begin(0, 'call_a', 'find', x))],
    [callA],
  ),
  calls(
    'a call that grows with each repetition',
    [21],
    [piece(begin(0, 'call_a', 'find', '{"x"')), piece(begin(0, 'call_a', 'find', x))],
    [callA],
  ),
  calls(
    'the arguments repeated at the end',
    [21],
    [piece(begin(0, 'call_a', 'find')), piece(more(0, '{"x"')), piece(more(0, ':1}')), piece(more(0, x))],
    [callA],
  ),
  calls(
    'arguments that are no JSON',
    [21],
    [piece(begin(0, 'call_a', 'find', '{x:'))],
    [{ ...callA, arguments: '{x:' }],
  ),
  calls(
    'arguments that are whole before they end',
    [21],
    [piece(begin(0, 'call_a', 'find', '{}')), piece(more(0, ' '))],
    [{ ...callA, arguments: '{} ' }],
  ),
  calls('finish_reason stop', [14], [piece(begin(0, 'call_a', 'find', x))], [callA], 'stop'),
  calls('finish_reason tool_use', [14], [piece(begin(0, 'call_a', 'find', x))], [callA], 'tool_use'),
  sound(
    'text, then a call',
    [17],
    events(chunk({ content: 'Hello' }), piece(begin(0, 'call_a', 'find', x)), finish('tool_calls'), done),
    { toolCalls: [callA] },
  ),
  sound(
    'calls of two choices',
    [23],
    events(
      piece(begin(0, 'call_a', 'find')),
      chunk({ tool_calls: [begin(0, 'call_b', 'read', y)] }, {}, { index: 1 }),
      piece(more(0, x)),
      finish('tool_calls'),
      chunk({}, {}, { index: 1, finish_reason: 'tool_calls' }),
      done,
    ),
    { text: '', toolCalls: [callA] },
  ),
  sound(
    'calls of Ollama',
    [9, 20, 21],
    `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":{"x":1}}},{"function":{"name":"read","arguments":{"y":2}}}]},"done":false}\n{"model":"m","message":{"content":""},"done":true,"done_reason":"stop"}\n`,
    {
      text: '',
      toolCalls: [
        { name: 'find', arguments: x },
        { name: 'read', arguments: y },
      ],
      finishReason: 'tool_calls',
    },
  ),
  whole(
    'calls of a whole answer',
    [19],
    [
      { id: 'call_a', type: 'function', function: { name: 'find', arguments: x } },
      { id: 'call_b', type: 'function', function: { name: 'read', arguments: y } },
    ],
    [callA, callB],
  ),
  whole(
    'calls of a whole answer with objects and no ids',
    [20, 21],
    [{ function: { name: 'find', arguments: { x: 1 } } }, { function: { name: 'find', arguments: { y: 2 } } }],
    [
      { name: 'find', arguments: x },
      { name: 'find', arguments: y },
    ],
    'stop',
  ),
  sound(
    'function_call in pieces',
    [22],
    events(
      chunk({ function_call: { name: 'find', arguments: '' } }),
      chunk({ function_call: { arguments: '{"x"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      finish('function_call'),
      done,
    ),
    { text: '', functionCall: { name: 'find', arguments: x }, finishReason: 'function_call' },
  ),
  sound(
    'function_call of a whole answer',
    [22],
    answer({ content: null, function_call: { name: 'find', arguments: x } }, {}, { finish_reason: 'function_call' }),
    { text: '', functionCall: { name: 'find', arguments: x }, finishReason: 'function_call' },
    { stream: false },
  ),
  sound(
    'arguments cut off by the token limit',
    [21],
    events(piece(begin(0, 'call_a', 'find', '{"x":')), finish('length'), done),
    { text: '', toolCalls: [], finishReason: 'length' },
  ),
  broken('arguments cut off', [1], events(piece(begin(0, 'call_a', 'find', '{"x":'))), {
    kind: 'truncated',
    partial: '',
  }),
  broken('a whole call, then a cut', [1], events(piece(begin(0, 'call_a', 'find', x))), {
    kind: 'truncated',
    partial: '',
  }),
  broken(
    'a call index out of all reason',
    [55],
    events(piece(begin(4_000_000_000, 'call_a', 'find', x)), finish('tool_calls'), done),
    { kind: 'malformed', partial: '' },
  ),
  broken(
    'arguments nested beyond reason',
    [55],
    events(
      `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"find","arguments":${'{"x":'.repeat(5000)}1${'}'.repeat(5000)}}}]}}]}`,
      finish('tool_calls'),
      done,
    ),
    { kind: 'malformed', partial: '' },
  ),
  broken('a call that never gets a name', [21], events(piece(more(0, x)), finish('tool_calls'), done), {
    kind: 'malformed',
    partial: '',
  }),
];

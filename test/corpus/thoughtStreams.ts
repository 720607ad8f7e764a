import type { CorpusCase } from './case.ts';
import { answer, chunk, done, events, finish, sound, word } from './pieces.ts';

const said = { text: 'Hi!', reasoning: 'plan' };
const channels = [
  ...['<|channel|>', 'analysis', '<|message|>', 'plan', '<|end|>', '<|start|>', 'assistant'],
  ...['<|channel|>', 'final', '<|message|>', 'Hi', '!', '<|return|>'],
];
const stream = (...pieces: string[]): string => events(...pieces.map((piece) => word(piece)), finish(), done);
const message = (content: string): string => answer({ content });
const whole = { stream: false };

/** Answers with thoughts in their text, by the marks of models and with marks that are missing. */
export const thoughtStreams: readonly CorpusCase[] = [
  sound('thoughts whose beginning is in the template', [18], stream('I should greet.', '\n</think>\n\n', 'Hi!'), {
    text: 'Hi!',
    reasoning: 'I should greet.\n',
  }),
  sound('a last mark of thoughts in pieces', [18], stream('plan', '</', 'think', '>', '\n\nHi', '!'), said),
  sound('a last mark of thoughts in a whole answer', [18], message('plan</think>Hi!'), said, whole),
  sound(
    'a last mark that is left over behind thoughts with a field of their own',
    [18],
    [events(chunk({ reasoning_content: 'plan' }), word('</think>\n\nHi!'), finish(), done)],
    said,
  ),
  sound('thoughts of Magistral', [18], stream('[THI', 'NK]plan', '[/THINK]', 'Hi!'), said),
  sound('thoughts in the tag thinking', [18], stream('<thinking>', 'plan', '</thinking>Hi!'), said),
  sound('thoughts in the tag thought', [18], message('<thought>plan</thought>\nHi!'), said, whole),
  sound('channels of gpt-oss', [18], stream(...channels), said),
  sound('channels of gpt-oss in a whole answer', [18], message(channels.join('')), said, whole),
  sound('channels of gpt-oss without their marks', [18], stream('analysis', 'plan', 'assistant', 'final', 'Hi!'), said),
  sound(
    'a call in a channel of gpt-oss',
    [18],
    stream('<|channel|>commentary to=functions.read <|constrain|>json<|message|>', '{"x":', '1}', '<|call|>'),
    { text: '', toolCalls: [{ name: 'read', arguments: '{"x":1}' }] },
  ),
  sound('a sentence about the last mark of thoughts', [18], stream('The tag </think>', ' ends thoughts.'), {
    text: 'The tag </think> ends thoughts.',
    reasoning: '',
  }),
  sound('the mark of thoughts in code', [18], stream('Use `</thi', 'nk>`\n', 'to end them.'), {
    text: 'Use `</think>`\nto end them.',
    reasoning: '',
  }),
];

/** Answers that say something twice, because the service repeats it or because the model wrote it so. */
export const repeatedStreams: readonly CorpusCase[] = [
  sound('deltas that each hold all so far', [59], stream('The quick', 'The quick brown', 'The quick brown fox jumps'), {
    text: 'The quick brown fox jumps',
  }),
  sound(
    'thoughts that each hold all so far',
    [59],
    events(
      ...['We should', 'We should greet', 'We should greet them.'].map((text) => chunk({ reasoning_content: text })),
      word('Hello'),
      finish(),
      done,
    ),
    { reasoning: 'We should greet them.' },
  ),
  sound(
    'a whole message after the deltas',
    [59],
    [
      events(
        word('Hel'),
        word('lo'),
        chunk(undefined, {}, { message: { content: 'Hello' }, finish_reason: 'stop' }),
        done,
      ),
    ],
  ),
  sound(
    'a whole message beside an empty last delta',
    [59],
    [events(word('Hel'), word('lo'), chunk({}, {}, { message: { content: 'Hello' }, finish_reason: 'stop' }), done)],
  ),
  sound(
    'a whole message beside a delta that never said anything',
    [59],
    [events(chunk({}, {}, { message: { content: 'Hello' }, finish_reason: 'stop' }), done)],
  ),
  sound('a last delta that repeats the answer', [59], stream('Hel', 'lo', 'Hello')),
  sound(
    'a last delta that repeats the answer, with its end',
    [59],
    [events(word('Hel'), word('lo'), chunk({ content: 'Hello' }, {}, { finish_reason: 'stop' }), done)],
  ),
  sound('a word that is written twice', [59], stream('ha', 'ha', 'haha'), { text: 'hahahaha' }),
  sound('a line that is written twice', [59], stream('Row, row\n', 'Row, row\n'), { text: 'Row, row\nRow, row\n' }),
];

/** Conversations to draw: one with everything in it, one with everything gone wrong, one with versions. */
import type { AnswerView, MessageView, QuestionView } from '../../src/webview/shared/protocol/messageProtocol.ts';

export function question(id: string, text: string, chips: QuestionView['chips'] = []): QuestionView {
  return { role: 'user', id, text, chips };
}

export function answer(id: string, text: string, more: Partial<AnswerView> = {}): AnswerView {
  return { role: 'assistant', id, text, reasoning: '', state: 'complete', details: [], ...more };
}

const markdown = `The client retries a request with **exponential backoff**. Three things are worth knowing:

1. Only \`408\`, \`429\` and \`5xx\` are retried.
2. A \`Retry-After\` header wins over the computed delay.
3. See [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3) for its two forms.

\`\`\`typescript
/** Milliseconds to wait before the next attempt. */
export function backoff(attempt: number, base = 250): number {
  const delay = Math.min(base * 2 ** attempt, 30_000);
  return delay * (1 - Math.random() * 0.25); // jitter
}
\`\`\`

## What could go wrong

> A server that asks for an hour is obeyed.

| status | retried | why |
|---|:---:|---:|
| 429 | yes | rate limit |
| 404 | no | it stays missing |
`;

const details: AnswerView['details'] = [
  ['Queue', '12 ms'],
  ['Prompt', '318 tokens, 41 ms'],
  ['Completion', '412 tokens, 0.76 s'],
  ['Total', '730 tokens, 0.81 s'],
  ['Until the first token', '0.31 s'],
  ['Until the end', '1.1 s'],
  ['Speed', '540 tok/s'],
];
const summary = 'llama-x · 412 tokens';

export const full: readonly MessageView[] = [
  question('q1', 'Explain this code: what it does, how, and what is not obvious about it.', [
    { id: 'k1', label: 'client.ts:12-40', title: 'src/client.ts, lines 12 to 40' },
  ]),
  answer('a1', markdown, { summary, details, reasoning: 'The user wants to know how the retry works.' }),
];

export const broken: readonly MessageView[] = [
  question('b1', 'Why does this fail?'),
  answer('e1', 'It fails because the socket is closed before', {
    state: 'failed',
    summary: 'llama-x',
    details: [['Until the first token', '0.31 s']],
    error: { sentence: 'The answer was cut off before its end.' },
  }),
  question('b2', 'And now?'),
  answer('e2', 'The second answer was', { state: 'stopped', note: 'Stopped.', summary: 'llama-x' }),
  question('b3', 'Once more.'),
  answer('e3', '', {
    state: 'failed',
    error: {
      sentence:
        'There is nothing at http://127.0.0.1:8080/chat/completions; the base URL may have to be http://127.0.0.1:8080/v1.',
      action: 'Connect',
    },
  }),
];

/** A question that was asked in two ways, the second answered three times, and one that was asked after that. */
export const versioned: readonly MessageView[] = [
  {
    ...question('v1b', 'How long does the client wait before it tries again?', [
      { id: 'k1', label: 'client.ts:12-40', title: 'src/client.ts, lines 12 to 40' },
    ]),
    versions: { at: 2, of: 2, before: 'v1a' },
  },
  answer('w2', 'It waits **250 ms** at first, and twice as long after each attempt, up to half a minute.', {
    summary,
    details,
    versions: { at: 2, of: 3, before: 'w1', after: 'w3' },
  }),
  question('v2', 'And where is that tested?'),
  answer('w4', 'In `client.test.ts`, with a clock that the test sets.', { summary: 'llama-x · 18 tokens', details }),
];

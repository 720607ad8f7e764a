import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { AnswerOptions } from '../../../../src/chat/answering/answering.ts';
import { summarise } from '../../../../src/chat/answering/summarise.ts';
import { longestSummary } from '../../../../src/chat/context/summary.ts';
import { type Action, type Conversation, emptyConversation } from '../../../../src/chat/conversation/conversation.ts';
import { replay } from '../../../../src/chat/conversation/reduce.ts';
import type { ChatRequest } from '../../../../src/service/chat/chatRequest.ts';
import { answer, append, ask, end } from '../actions.ts';
import { fails, type Script, says } from '../sessions.ts';

/** A conversation of so many turns of about 900 tokens. */
function conversation(turns: number, ...more: Action[]): Conversation {
  const actions = Array.from({ length: turns }, (_, i): Action[] => [
    ask(`q${i}`, 10 * i + 1, i === 0 ? undefined : `a${i - 1}`, { text: `Question ${i}${'?'.repeat(1_500)}` }),
    answer(`a${i}`, 10 * i + 2, `q${i}`),
    append(`a${i}`, `Answer ${i}${'.'.repeat(1_500)}`),
    end(`a${i}`, 10 * i + 3),
  ]).flat();
  return replay(emptyConversation('c', 1), [...actions, ...more]);
}

/** What comes of it, and what the service was asked. @param size of the window; undefined where nobody knows */
async function run(of: Conversation, size: number | undefined, ...scripts: Script[]) {
  const requests: ChatRequest[] = [];
  const options: AnswerOptions = {
    client: {
      async *chat(_endpoint, request, signal) {
        requests.push(request);
        const script = scripts.shift();
        if (script === undefined) throw new Error('The service was asked once too often.');
        yield* script(signal, { now: 0 });
      },
    },
    endpoint: async (model = 'm') => ({ baseUrl: 'http://localhost/v1', model }),
    settings: () => ({ stream: true, systemPrompt: '', extra: { reasoning_effort: 'low' } }),
    instructions: async () => [],
    facts: () => ({ takesImages: false, ...(size !== undefined && { window: { size, answerRoom: 0 } }) }),
    clock: { now: () => 0, random: () => 0, sleep: () => new Promise(() => {}) },
    onFault() {},
  };
  const pieces: number[][] = [];
  const { signal } = new AbortController();
  const made = await summarise(options, of, signal, (...piece) => pieces.push(piece));
  return { made, pieces, asked: requests.map(({ messages }) => String(messages.at(-1)?.content)), requests };
}

describe('Older turns', () => {
  it('are summarised up to what fits into half of the window, by the model of the conversation', async () => {
    const { made, asked, requests } = await run(conversation(5), 6_000, says(' They asked ', 'and answered. '));
    assert.deepEqual(made, { upTo: 'a1', text: 'They asked and answered.' });
    assert.match(
      asked.join(),
      /^User:\nQuestion 0\?+\n\nAssistant:\nAnswer 0\.+\n\nUser:\nQuestion 1\?+\n\nAssistant:\nAnswer 1\.+$/,
    );
    assert.deepEqual(requests[0]?.extra, { reasoning_effort: 'low' });
    assert.match(String(requests[0]?.messages[0]?.content), /^You summarise/);
  });

  it('are read in pieces that fit, each with the summary so far', async () => {
    const { made, asked, pieces } = await run(conversation(8), 3_500, says('First.'), says('Second.'), says('Last.'));
    assert.equal(made?.text, 'Last.');
    assert.equal(asked.length, 3);
    assert.deepEqual(pieces, [
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    assert.match(asked[1] ?? '', /^Summary of what was before:\nFirst\.\n\n/);
    assert.ok(asked.every(({ length }) => length < 2_000 * 3.5 + 200));
  });

  it('that were summarised before are not read again', async () => {
    const before: Action = { type: 'summarise', upTo: 'a1', text: 'Known.', at: 100 };
    const { made, asked } = await run(conversation(7, before), 6_000, says('More.'));
    assert.deepEqual(made, { upTo: 'a3', text: 'More.' });
    assert.match(asked.join(), /^Summary of what was before:\nKnown\.\n\nUser:\nQuestion 2/);
  });

  it('are nothing where all fits, or nobody knows what the model reads', async () => {
    assert.equal((await run(conversation(2), 6_000)).made, undefined);
    assert.equal((await run(conversation(9), undefined)).made, undefined);
  });

  it('have no summary where the service fails, says nothing, or only more of what is asked', async () => {
    await assert.rejects(run(conversation(5), 6_000, fails(new ServiceError('auth'))), { kind: 'auth' });
    await assert.rejects(run(conversation(5), 6_000, says(' \n ')), { kind: 'malformed' });
    const { made } = await run(conversation(5), 6_000, says(...Array<string>(100).fill('x'.repeat(1_000))));
    assert.equal(made?.text.length, longestSummary);
  });
});

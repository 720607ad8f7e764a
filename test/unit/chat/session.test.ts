import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { type Answer, emptyConversation, type Message } from '../../../src/chat/conversation.ts';
import { createSession } from '../../../src/chat/session.ts';
import { tokensPerSecond } from '../../../src/chat/speed.ts';
import type { ChatClient } from '../../../src/service/chat/chat.ts';
import type { ChatRequest } from '../../../src/service/chat/chatRequest.ts';
import type { ChatEvent } from '../../../src/service/chat/completion.ts';
import type { Patch } from '../../../src/webview/shared/protocol.ts';

type Script = (signal: AbortSignal, clock: { now: number }) => AsyncGenerator<ChatEvent, void, undefined>;
const text = (part: string): ChatEvent => ({ type: 'text', choice: 0, text: part });
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

/** A session whose service follows scripts, one for each call, and whose time stands still unless a script moves it. */
function setUp(...scripts: Script[]) {
  const time = { now: 1000 };
  const requests: ChatRequest[] = [];
  const patches: Patch<Message>[] = [];
  const faults: unknown[] = [];
  /** Releases the pieces that wait to be gathered. */
  const gathering: (() => void)[] = [];
  let ids = 0;
  const client: ChatClient = {
    async *chat(_endpoint, request, signal) {
      requests.push(request);
      const script = scripts.shift();
      if (script === undefined) throw new Error('The service was asked once too often.');
      yield* script(signal, time);
    },
  };
  const session = createSession(emptyConversation('c', 1), {
    client,
    endpoint: async () => ({ baseUrl: 'http://localhost/v1', model: 'm' }),
    settings: () => ({ stream: true, systemPrompt: '', extra: { reasoning_effort: 'low' } }),
    clock: {
      now: () => time.now,
      random: () => 0,
      sleep: () => new Promise((resolve) => gathering.push(resolve)),
    },
    newId: () => `id${ids++}`,
    onPatches: (next) => patches.push(...next),
    onFault: (fault) => faults.push(fault),
  });
  return { session, requests, patches, faults, gathering, time };
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  throw new ServiceError('cancelled');
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const lastAnswer = (messages: readonly Message[]): Answer => {
  const last = messages.at(-1);
  assert.ok(last?.role === 'assistant');
  return last;
};

describe('A chat session', () => {
  it('counts the seconds down while the service asks to wait', async () => {
    const waiting = withResolvers();
    const { session, patches, gathering, requests } = setUp(async function* () {
      requests[0]?.onWait?.(2500);
      await waiting.promise;
      yield text('at last');
      yield finish;
    });
    const asking = session.ask('hello', []);
    const seconds = (): (number | undefined)[] =>
      patches.flatMap(({ change }) => (change.kind === 'describe' ? [change.facts.waitSeconds] : []));
    for (const left of [3, 2, 1, undefined]) {
      while (seconds().at(-1) !== left) await new Promise((resolve) => setImmediate(resolve));
      gathering.shift()?.();
    }
    waiting.resolve();
    assert.equal((await asking)?.text, 'at last');
    assert.deepEqual(
      seconds().filter((left) => left !== undefined),
      [3, 2, 1],
    );
  });

  it('shows a wait of a second of which some has passed, and leaves out one that is over at once', async () => {
    const done = withResolvers();
    const { session, patches, gathering, requests } = setUp(async function* () {
      requests[0]?.onWait?.(40);
      requests[0]?.onWait?.(985);
      await done.promise;
      yield finish;
    });
    const asking = session.ask('hello', []);
    const shown = (): (number | undefined)[] =>
      patches.flatMap(({ change }) => (change.kind === 'describe' ? [change.facts.waitSeconds] : []));
    while (shown().at(-1) !== 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(gathering.length, 1);
    gathering.shift()?.();
    done.resolve();
    await asking;
  });

  it('shows the last wait alone, and none once anything of the answer came', async () => {
    const done = withResolvers();
    const { session, patches, gathering, requests } = setUp(async function* () {
      requests[0]?.onWait?.(9000);
      requests[0]?.onWait?.(4000);
      yield text('at last');
      await done.promise;
      yield finish;
    });
    const asking = session.ask('hello', []);
    while (gathering.length < 3) await new Promise((resolve) => setImmediate(resolve));
    const last = lastAnswer(session.conversation.messages);
    assert.deepEqual([last.state, last.waitSeconds], ['streaming', undefined]);
    for (const pass of gathering.splice(0)) pass();
    await new Promise((resolve) => setImmediate(resolve));
    const shown = patches.flatMap(({ change }) => (change.kind === 'describe' ? [change.facts.waitSeconds] : []));
    assert.deepEqual(
      shown.filter((left) => left !== undefined),
      [9, 4],
    );
    done.resolve();
    await asking;
  });

  it('shows what a model says that declines, and that it declined', async () => {
    const { session } = setUp(async function* () {
      yield { type: 'refusal', choice: 0, text: 'I cannot ' };
      yield { type: 'refusal', choice: 0, text: 'help with that.' };
      yield finish;
    });
    const answer = await session.ask('Why?', []);
    assert.deepEqual([answer?.state, answer?.text, answer?.declined], ['complete', 'I cannot help with that.', true]);
  });

  it('keeps with the answer what the service was found to refuse, and says it only once', async () => {
    const { session, requests } = setUp(
      async function* () {
        yield { type: 'adjusted', field: 'seed' };
        yield { type: 'adjusted', field: 'max_tokens', renamedTo: 'max_completion_tokens' };
        yield finish;
      },
      async function* () {
        yield { type: 'adjusted', field: 'seed', remembered: true };
        yield finish;
      },
    );
    const first = await session.ask('Count.', []);
    assert.deepEqual(first?.adjustments, [
      { field: 'seed' },
      { field: 'max_tokens', renamedTo: 'max_completion_tokens' },
    ]);
    assert.equal((await session.ask('Again.', []))?.adjustments, undefined);
    assert.deepEqual(requests[0]?.extra, { reasoning_effort: 'low' });
  });

  it('gathers the pieces of an answer into few patches, and loses none', async () => {
    const { session, patches } = setUp(async function* () {
      for (let i = 0; i < 1000; i++) yield text(`${i} `);
      yield finish;
    });
    const answer = await session.ask('Count.', []);
    assert.equal(answer?.text, Array.from({ length: 1000 }, (_, i) => `${i} `).join(''));
    assert.equal(answer?.state, 'complete');
    assert.ok(patches.length < 12, `${patches.length} patches`);
  });

  it('passes on what it gathered while the answer is still coming', async () => {
    const gate = withResolvers();
    const { session, gathering } = setUp(async function* () {
      yield text('early');
      await gate.promise;
      yield finish;
    });
    const asking = session.ask('Why?', []);
    while (gathering.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(lastAnswer(session.conversation.messages).text, '');
    gathering.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(lastAnswer(session.conversation.messages).text, 'early');
    assert.equal(session.busy, true);
    gate.resolve();
    await asking;
    assert.equal(session.busy, false);
  });

  it('measures the time to the first token and to the end', async () => {
    const { session } = setUp(async function* (_signal, time) {
      time.now += 310;
      yield text('a');
      time.now += 690;
      yield { type: 'usage', usage: { completionTokens: 69 } };
      yield finish;
    });
    const answer = await session.ask('Why?', []);
    assert.deepEqual(answer?.timings, { firstTokenMs: 310, totalMs: 1000 });
    assert.ok(answer);
    assert.equal(Math.round(tokensPerSecond(answer) ?? 0), 100);
  });

  it('says no speed for an answer that came in one piece', () => {
    const usage = { completionTokens: 50 };
    assert.equal(tokensPerSecond({ usage, timings: { firstTokenMs: 400, totalMs: 401 } }), undefined);
    assert.equal(tokensPerSecond({ usage: { ...usage, completionTime: 0.5 }, timings: {} }), 100);
    assert.equal(tokensPerSecond({ timings: { firstTokenMs: 1, totalMs: 900 } }), undefined);
  });

  it('aborts the request on Stop, and keeps what came', async () => {
    let aborted = false;
    const { session, gathering } = setUp(async function* (signal) {
      signal.addEventListener('abort', () => (aborted = true));
      yield text('half');
      await untilAborted(signal);
    });
    const asking = session.ask('Why?', []);
    while (gathering.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await session.stop();
    assert.equal(aborted, true);
    const answer = await asking;
    assert.equal(answer?.state, 'stopped');
    assert.equal(answer?.text, 'half');
    assert.equal(answer?.error, undefined);
  });

  it('shows a cut answer as failed with its text, and Retry replaces it', async () => {
    const { session, requests } = setUp(
      async function* () {
        yield text('half');
        throw new ServiceError('truncated', { url: 'http://localhost/v1' });
      },
      async function* () {
        yield text('whole');
        yield finish;
      },
    );
    const cut = await session.ask('Why?', []);
    assert.equal(cut?.state, 'failed');
    assert.equal(cut?.text, 'half');
    assert.equal(cut?.error?.kind, 'truncated');
    const retried = await session.retry();
    assert.equal(retried?.text, 'whole');
    assert.equal(session.conversation.messages.length, 2);
    assert.deepEqual(requests[1]?.messages, [{ role: 'user', content: 'Why?' }]);
  });

  it('never shows an answer that a content filter ended as complete', async () => {
    const { session } = setUp(async function* () {
      yield text('I');
      yield { type: 'finish', choice: 0, reason: 'content_filter' };
    });
    const answer = await session.ask('Why?', []);
    assert.equal(answer?.state, 'failed');
    assert.equal(answer?.error?.kind, 'content-filter');
  });

  it('keeps no key and no stack of an error, and reports a fault of its own', async () => {
    const { session, faults } = setUp(async function* () {
      yield text('a');
      throw new TypeError('secret inside');
    });
    const answer = await session.ask('Why?', []);
    assert.deepEqual(answer?.error, { kind: 'unexpected' });
    assert.equal(faults.length, 1);
  });

  it('stops the running answer when another question is asked, and answers that one', async () => {
    const { session } = setUp(
      async function* (signal) {
        yield text('first');
        await untilAborted(signal);
      },
      async function* () {
        yield text('second');
        yield finish;
      },
    );
    const first = session.ask('One?', []);
    const second = session.ask('Two?', []);
    assert.equal((await second)?.text, 'second');
    await first;
    assert.deepEqual(
      session.conversation.messages.map((m) => (m.role === 'user' ? m.text : m.state)),
      ['One?', 'stopped', 'Two?', 'complete'],
    );
  });

  it('shows the first choice alone', async () => {
    const { session } = setUp(async function* () {
      yield text('zero');
      yield { type: 'text', choice: 1, text: 'one' };
      yield finish;
    });
    assert.equal((await session.ask('Why?', []))?.text, 'zero');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import type { ChatSettings } from '../../../src/chat/answering/answering.ts';
import { tokensPerSecond } from '../../../src/chat/answering/tokensPerSecond.ts';
import {
  type Conversation,
  cutWithWindow,
  emptyConversation,
  type Message,
} from '../../../src/chat/conversation/conversation.ts';
import { replay } from '../../../src/chat/conversation/reduce.ts';
import { exportJson } from '../../../src/chat/exchange/exportJson.ts';
import { importJson } from '../../../src/chat/exchange/importJson.ts';
import type { ChatEvent } from '../../../src/service/chat/completion.ts';
import { answer as answering, append, ask as asking, describing, end, idsOf, turn } from './actions.ts';
import {
  attachment,
  fails,
  finish,
  hangs,
  lastAnswer,
  type Script,
  says,
  setUp,
  setUpFrom,
  text,
  textsOf,
  withResolvers,
} from './sessions.ts';
import { until } from './until.ts';

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
      await until(() => seconds().at(-1) === left);
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
    await until(() => shown().at(-1) === 1);
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
    await until(() => gathering.length >= 3);
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

  describe('asked for several answers at once', () => {
    const say = (choice: number, said: string): ChatEvent => ({ type: 'text', choice, text: said });
    const ends = (choice: number, reason = 'stop'): ChatEvent => ({ type: 'finish', choice, reason });
    const three = (events: readonly ChatEvent[], rest?: Script) => {
      const made = setUp(async function* (signal, clock) {
        yield* events;
        if (rest !== undefined) yield* rest(signal, clock);
      });
      made.session.configure({ parameters: { n: 3 } });
      const asking = made.session.ask('Why?', []);
      return { ...made, asking };
    };
    const versions = ({ tree }: Conversation) =>
      [...tree.values()]
        .filter((message) => message.role === 'assistant')
        .map(({ text: said, state }) => [said, state]);

    it('has each as a version, the first one shown, however their pieces are mixed', async () => {
      const { session, asking, requests } = three([
        ...[say(0, 'a'), say(2, 'c'), say(1, 'b'), say(0, 'A'), say(2, 'C'), ends(1), ends(0), ends(2, 'length')],
        { type: 'usage', usage: { totalTokens: 9 } },
      ]);
      const answer = await asking;
      assert.equal(requests[0]?.fields?.n, 3);
      assert.deepEqual(versions(session.conversation), [
        ['aA', 'complete'],
        ['cC', 'complete'],
        ['b', 'complete'],
      ]);
      assert.deepEqual([answer?.text, answer?.usage?.totalTokens], ['aA', 9]);
      assert.equal(lastAnswer(session.conversation.messages).text, 'aA');
      assert.equal(lastAnswer(session.conversation.messages).versions?.length, 3);
    });

    it('passes over choices that were not asked for', async () => {
      const { session, asking } = three([say(0, 'a'), say(3, 'd'), say(1_000_000, 'e'), ends(0), ends(3)]);
      await asking;
      assert.deepEqual(versions(session.conversation), [['a', 'complete']]);
    });

    it('takes the one answer that was asked for, whatever number it has', async () => {
      const { session } = setUp(async function* () {
        yield* [say(1, 'a'), say(0, 'x'), say(1, 'b'), ends(1)];
      });
      const answer = await session.ask('Why?', []);
      assert.deepEqual([answer?.text, answer?.finishReason], ['ab', 'stop']);
      assert.deepEqual(versions(session.conversation), [['ab', 'complete']]);
    });

    it('stops and fails as one; what each has stays', async () => {
      const { session, asking } = three([say(0, 'a'), say(1, 'b')], hangs('A'));
      await until(() => versions(session.conversation).length === 2);
      void session.stop();
      await asking;
      assert.deepEqual(versions(session.conversation), [
        ['aA', 'stopped'],
        ['b', 'stopped'],
      ]);
    });

    it('shows the version that the user went to, also when more begin', async () => {
      const gate = withResolvers();
      const { session, asking } = three([say(0, 'a'), say(1, 'b')], async function* () {
        await gate.promise;
        yield say(2, 'c');
        yield finish;
      });
      await until(() => versions(session.conversation).length === 2);
      const [, second] = [...session.conversation.tree.values()].filter(({ role }) => role === 'assistant');
      session.choose(second?.id ?? '');
      gate.resolve();
      await asking;
      assert.equal(lastAnswer(session.conversation.messages).text, 'b');
    });
  });

  it('keeps the calls that a model asks for, and the fingerprint of the service', async () => {
    const { session } = setUp(async function* () {
      yield { type: 'identity', systemFingerprint: 'fp_1' };
      yield { type: 'tool-call', choice: 0, call: 0, toolCall: { id: '1', name: 'tide', arguments: '{"port":' } };
      yield { type: 'tool-call', choice: 1, call: 0, toolCall: { id: '2', name: 'other', arguments: '{}' } };
      yield { type: 'function-call', choice: 0, functionCall: { name: 'older', arguments: '{}' } };
      yield finish;
    });
    const answer = await session.ask('Why?', []);
    assert.deepEqual(answer?.calls, [
      { name: 'tide', arguments: '{"port":' },
      { name: 'older', arguments: '{}' },
    ]);
    assert.equal(answer?.systemFingerprint, 'fp_1');
    const now = Date.now() + 1e9;
    const read = importJson(exportJson([session.conversation]), { now, isTaken: () => false, newId: () => 'x' });
    assert.match(JSON.stringify(read), /"calls":\[\{"name":"tide"/);
  });

  it('asks with what the conversation has of its own, in the place of the settings', async () => {
    const { session, requests, models } = setUp(says('one'), says('two'), says('three'));
    await session.ask('Why?', []);
    session.configure({
      model: 'other',
      systemPrompt: 'Be brief.',
      parameters: { temperature: 0 },
    });
    await session.ask('And now?', []);
    session.configure({ model: null, systemPrompt: null, parameters: { temperature: null } });
    await session.retry();
    assert.deepEqual(models, ['m', 'other', 'm']);
    assert.deepEqual(
      requests.map(({ fields, extra }) => ({ ...fields, ...extra })),
      [{ reasoning_effort: 'low' }, { temperature: 0, reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    );
    assert.deepEqual(
      requests.map(({ messages }) => messages[0]?.content),
      ['Why?', 'Be brief.', 'Why?'],
    );
  });

  it('sends a parameter of its own alone, whatever name the settings have for it', async () => {
    const settings = { stream: true, systemPrompt: '', extra: { max_completion_tokens: 9, temperature: 1, top_k: 3 } };
    const { session, requests } = setUp({ settings }, says('one'), says('two'));
    session.configure({ parameters: { max_tokens: 5, temperature: 0.5 } });
    await session.ask('Why?', []);
    assert.deepEqual(requests[0]?.fields, { max_tokens: 5, temperature: 0.5 });
    assert.deepEqual(requests[0]?.extra, { top_k: 3 });
    session.configure({ parameters: { max_tokens: null } });
    await session.retry();
    assert.deepEqual(requests[1]?.extra, { max_completion_tokens: 9, top_k: 3 });
  });

  it('passes on what the settings have for fields, whatever it is: the request says what is wrong with it', async () => {
    const extra = 'temperature: 1' as unknown as ChatSettings['extra'];
    const { session, requests } = setUp({ settings: { stream: true, systemPrompt: '', extra } }, says('one'));
    session.configure({ parameters: { temperature: 0.5 } });
    await session.ask('Why?', []);
    assert.equal(requests[0]?.extra, extra);
  });

  it('sends the instruction files as they are when it asks, but for those that were taken away', async () => {
    const { session, requests, instructions } = setUp(says('one'), says('two'), says('three'));
    const file = (name: string, text: string) => ({ uri: `file:///w/${name}`, name, text, isCut: false });
    instructions.push(file('AGENTS.md', 'Use tabs.'), file('copilot.md', 'No any.'));
    await session.ask('Why?', []);
    instructions[0] = file('AGENTS.md', 'Use spaces.');
    await session.retry();
    session.configure({ instructions: { 'file:///w/AGENTS.md': false, 'file:///w/copilot.md': false } });
    await session.retry();
    const [first, second, third] = requests.map(({ messages }) => String(messages[0]?.content));
    assert.match(
      first ?? '',
      /from AGENTS\.md:\n\nUse tabs\.\n\nInstructions of this workspace, from copilot\.md:\n\nNo any\.$/,
    );
    assert.match(second ?? '', /Use spaces\./);
    assert.equal(third, 'Why?');
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
    await until(() => gathering.length > 0);
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
    for (const completionTime of [-1, 0, 1e-12])
      assert.equal(tokensPerSecond({ usage: { ...usage, completionTime }, timings: {} }), undefined);
  });

  it('aborts the request on Stop, and keeps what came', async () => {
    let aborted = false;
    const { session, gathering } = setUp(hangs('half', () => (aborted = true)));
    const asking = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    await session.stop();
    assert.equal(aborted, true);
    const answer = await asking;
    assert.equal(answer?.state, 'stopped');
    assert.equal(answer?.text, 'half');
    assert.equal(answer?.error, undefined);
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
    const { session } = setUp(hangs('first'), says('second'));
    const first = session.ask('One?', []);
    const second = session.ask('Two?', []);
    assert.equal((await second)?.text, 'second');
    await first;
    assert.deepEqual(
      session.conversation.messages.map((m) => (m.role === 'user' ? m.text : m.state)),
      ['One?', 'stopped', 'Two?', 'complete'],
    );
  });

  it('stops the answer to a question, too, that was asked while another one was stopping', async () => {
    const { session, actions } = setUp(hangs('first'), hangs('second'));
    const first = session.ask('One?', []);
    const second = session.ask('Two?', []);
    await session.stop();
    assert.equal(session.busy, false);
    assert.deepEqual([(await first)?.state, (await second)?.state], ['stopped', 'stopped']);
    assert.equal(actions.filter(({ type }) => type === 'end').length, 2);
  });

  it('answers a question that is asked after Stop, while that is not done yet', async () => {
    const { session } = setUp(hangs('first'), says('second'));
    const first = session.ask('One?', []);
    const stopping = session.stop();
    assert.equal((await session.ask('Two?', []))?.text, 'second');
    await stopping;
    assert.equal((await first)?.state, 'stopped');
  });

  it('shows the first choice alone', async () => {
    const { session } = setUp(async function* () {
      yield text('zero');
      yield { type: 'text', choice: 1, text: 'one' };
      yield finish;
    });
    assert.equal((await session.ask('Why?', []))?.text, 'zero');
  });

  it('gives out each action of its own, of which the same conversation comes', async () => {
    const { session, actions } = setUp(says('one'), fails(new ServiceError('reset'), 'half'), says('two'), says('new'));
    await session.ask('One?', [attachment], { label: 'Explain' });
    await session.ask('Two?', []);
    await session.retry();
    await session.edit('id0', 'One, again?');
    session.choose('id0');
    session.delete('id1');
    session.rename('Mine');
    session.pin(true);
    const { seq: _, ...again } = replay(emptyConversation('c', 1), actions);
    const { seq, ...conversation } = session.conversation;
    assert.deepEqual(again, conversation);
    assert.ok(seq > 0);
  });
});

describe('Asking again', () => {
  it('after a finished answer keeps that one as a version, and sends neither with the question', async () => {
    const { session, requests } = setUp(says('one'), says('another'));
    const first = await session.ask('Why?', []);
    const second = await session.retry();
    assert.equal(second?.text, 'another');
    assert.deepEqual(requests[1]?.messages, [{ role: 'user', content: 'Why?' }]);
    const shown = lastAnswer(session.conversation.messages);
    assert.equal(session.conversation.messages.length, 2);
    assert.deepEqual([shown.id, shown.versions], [second?.id, [first?.id, second?.id]]);
    session.choose(first?.id ?? '');
    assert.equal(lastAnswer(session.conversation.messages).text, 'one');
  });

  it('after an answer without text leaves no version of nothing', async () => {
    const { session, actions } = setUp(fails(new ServiceError('auth')), says('at last'));
    const empty = await session.ask('Why?', []);
    await session.retry();
    const shown = lastAnswer(session.conversation.messages);
    assert.deepEqual([shown.text, shown.versions], ['at last', undefined]);
    const deleted = actions.find(({ type }) => type === 'delete');
    assert.ok(deleted?.type === 'delete');
    assert.deepEqual(deleted.ids, [empty?.id]);
  });

  it('after an answer without text keeps that one where something was asked after it', async () => {
    const { session } = setUp(fails(new ServiceError('server')), says('a2'), says('a1'));
    const empty = await session.ask('q1', []);
    await session.ask('q2', []);
    await session.retry(session.conversation.messages[0]?.id);
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1']);
    session.choose(empty?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', '', 'q2', 'a2']);
  });

  it('after a cut answer keeps its text as a version', async () => {
    const cut = new ServiceError('truncated', { url: 'http://localhost/v1' });
    const { session, requests } = setUp(fails(cut, 'half'), says('whole'));
    const half = await session.ask('Why?', []);
    assert.deepEqual([half?.state, half?.text, half?.error?.kind], ['failed', 'half', 'truncated']);
    const retried = await session.retry();
    assert.equal(retried?.text, 'whole');
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, [half?.id, retried?.id]);
    assert.deepEqual(requests[1]?.messages, [{ role: 'user', content: 'Why?' }]);
  });

  it('for a question in the middle sends what led to it, and keeps what followed its old answer', async () => {
    const { session, requests } = setUp(says('a1'), says('a2'), says('a3'), says('a2b'));
    for (const question of ['q1', 'q2', 'q3']) await session.ask(question, []);
    const before = session.conversation.messages;
    await session.retry(before[2]?.id);
    assert.deepEqual(
      requests[3]?.messages.map(({ content }) => content),
      ['q1', 'a1', 'q2'],
    );
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1', 'q2', 'a2b']);
    session.choose(before[3]?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']);
  });

  it('with other attachments sends those alone, and leaves the version before its own', async () => {
    const { session, requests } = setUp(says('one'), says('two'));
    await session.ask('Why?', [attachment]);
    const [before] = session.conversation.messages;
    await session.edit(before?.id ?? '', 'Why?', { attachments: [] });
    assert.deepEqual(requests.at(-1)?.messages.at(-1)?.content, 'Why?');
    const kept = session.conversation.tree.get(before?.id ?? '');
    assert.deepEqual(kept?.role === 'user' ? kept.attachments : undefined, [attachment]);
  });

  it('in other words keeps the attachments, and the question as it was', async () => {
    const { session, requests } = setUp(says('one'), says('two'), says('another'));
    await session.ask('Why?', [attachment]);
    await session.ask('And then?', []);
    const before = session.conversation.messages;
    await session.edit(before[0]?.id ?? '', 'Why not?');
    const [question, answer] = session.conversation.messages;
    assert.ok(question?.role === 'user');
    assert.deepEqual([question.text, question.attachments], ['Why not?', [attachment]]);
    assert.deepEqual(question.versions, [before[0]?.id, question.id]);
    assert.deepEqual(textsOf([answer]), ['another']);
    assert.match(String(requests[2]?.messages[0]?.content), /^Why not\?\n\nFrom src\/a\.ts, line 3:/);
    assert.equal(requests[2]?.messages.length, 1, 'nothing of the other version is sent');
    session.choose(before[0]?.id ?? '');
    assert.deepEqual(textsOf(session.conversation.messages), ['Why?', 'one', 'And then?', 'two']);
  });

  it('stops the running answer first, which is kept', async () => {
    const { session, gathering } = setUp(hangs('half'), says('whole'));
    const asking = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    const retried = await session.retry();
    const stopped = await asking;
    assert.deepEqual([stopped?.state, stopped?.text, retried?.text], ['stopped', 'half', 'whole']);
    assert.deepEqual(lastAnswer(session.conversation.messages).versions, [stopped?.id, retried?.id]);
  });

  it('does nothing where there is no question', async () => {
    const { session, actions } = setUp();
    assert.equal(await session.retry(), undefined);
    assert.equal(await session.edit('nowhere', 'Why?'), undefined);
    assert.deepEqual(actions, []);
  });
});

describe('What is sent with a question', () => {
  it('leaves out questions that failed, and has answers that were cut', async () => {
    const html = new ServiceError('login-page');
    const cut = new ServiceError('truncated');
    const { session, requests } = setUp(
      fails(html),
      fails(new ServiceError('server', { status: 500 })),
      fails(cut, 'half'),
      says('yes'),
    );
    for (const question of ['fault html', 'fault 500', 'cut me', 'go on']) await session.ask(question, []);
    assert.deepEqual(requests[2]?.messages, [{ role: 'user', content: 'cut me' }]);
    assert.deepEqual(requests[3]?.messages, [
      { role: 'user', content: 'cut me' },
      { role: 'assistant', content: 'half' },
      { role: 'user', content: 'go on' },
    ]);
    assert.equal(session.conversation.messages.length, 8, 'all of them are shown');
  });

  it('leaves out what is deleted, until it is restored', async () => {
    const { session, requests } = setUp(says('a1'), says('a2'), says('a3'), says('a4'));
    for (const question of ['q1', 'q2']) await session.ask(question, []);
    const ids = session.delete(session.conversation.messages[0]?.id ?? '');
    assert.equal(ids.length, 2);
    await session.ask('q3', []);
    session.restore(ids);
    await session.ask('q4', []);
    const sent = requests.map(({ messages }) => messages.map(({ content }) => content));
    assert.deepEqual(sent.slice(2), [
      ['q2', 'a2', 'q3'],
      ['q1', 'a1', 'q2', 'a2', 'q3', 'a3', 'q4'],
    ]);
  });
});

describe('A model of which nothing is known yet', () => {
  it('is asked about before a second question, so that what it does not read is left out; not before the first', async () => {
    const asked: string[] = [];
    const askedFacts = async (model: string) => {
      asked.push(model);
      return { takesImages: true, window: { size: 100, answerRoom: 40 } };
    };
    const { session, requests } = setUp({ askedFacts }, says('First answer.'), says('Second answer.'));
    await session.ask('word '.repeat(400), []);
    assert.deepEqual(asked, []);
    await session.ask('And now?', []);
    assert.deepEqual(asked, ['m']);
    assert.doesNotMatch(JSON.stringify(requests[1]?.messages), /word word/);
  });
});

describe('A question after a deleted one', () => {
  it('has its place behind it, so that both are there in order when that one is restored', async () => {
    const { session } = setUp(says('a1'), says('a2'), says('a3'));
    for (const question of ['q1', 'q2']) await session.ask(question, []);
    const ids = session.delete(session.conversation.messages[2]?.id ?? '');
    await session.ask('q3', []);
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1', 'q3', 'a3']);
    session.restore(ids);
    assert.deepEqual(textsOf(session.conversation.messages), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']);
  });
});

describe('A chat session beside another window', () => {
  it('shows what the other one writes, and gives none of it out as its own', () => {
    const { session, actions, patches } = setUp();
    session.follow([asking('q', 2), answering('a', 3, 'q'), append('a', 'Half')]);
    assert.deepEqual(textsOf(session.conversation.messages), ['Question q', 'Half']);
    assert.equal(session.busy, false, 'it is not this session that writes');
    assert.deepEqual(actions, []);
    session.follow([append('a', ' more'), end('a', 9)]);
    assert.deepEqual(textsOf(session.conversation.messages), ['Question q', 'Half more']);
    assert.deepEqual(
      patches.map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    );
  });

  it('stops an answer that the other one writes', async () => {
    const { session, actions } = setUp();
    session.follow([asking('q', 2), answering('a', 3, 'q'), append('a', 'Half')]);
    await session.stop();
    const stopped = lastAnswer(session.conversation.messages);
    assert.deepEqual([stopped.state, stopped.text, stopped.error], ['stopped', 'Half', undefined]);
    const [action, ...rest] = actions;
    assert.ok(action?.type === 'end');
    assert.deepEqual([action.id, action.state, rest], ['a', 'stopped', []]);
    await session.stop();
    assert.equal(actions.length, 1, 'there is nothing more to stop');
  });

  it('leaves an answer alone that the other one writes, when this window ends', async () => {
    const { session, actions } = setUp();
    session.follow([asking('q', 2), answering('a', 3, 'q'), append('a', 'Half')]);
    await session.stopOwn();
    assert.equal(lastAnswer(session.conversation.messages).state, 'streaming');
    assert.deepEqual(actions, []);
  });

  it('takes an answer for cut off whose window seems to have ended, until more of it comes, and keeps nothing of that', () => {
    const { session, actions } = setUp();
    const last = () => lastAnswer(session.conversation.messages);
    session.follow([asking('q', 2), answering('a', 3, 'q'), append('a', 'Half')]);
    session.presumeCut();
    assert.deepEqual([last().state, last().text, last().error], ['failed', 'Half', cutWithWindow]);
    session.follow([{ type: 'describe', id: 'a', facts: {} }]);
    assert.deepEqual([last().state, last().error], ['streaming', undefined]);
    session.presumeCut();
    session.follow([append('a', ' more'), end('a', 9)]);
    assert.deepEqual([last().state, last().text], ['complete', 'Half more']);
    session.presumeCut();
    assert.equal(last().state, 'complete', 'what has ended is not cut');
    assert.deepEqual(actions, []);
  });

  it('ends its own answer as cut off when this window ends, to be continued', async () => {
    const { session, actions } = setUp(hangs('half'));
    const asked = session.ask('Why?', []);
    await until(() => session.busy);
    session.presumeCut();
    assert.equal(lastAnswer(session.conversation.messages).state, 'streaming', 'it is being written here');
    await session.stopOwn();
    const cut = await asked;
    assert.deepEqual([cut?.state, cut?.error], ['failed', cutWithWindow]);
    assert.ok(actions.some((action) => action.type === 'end' && action.error?.param === 'window'));
  });

  it('says again and again that an answer is being written, though no word of it comes', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { session, actions } = setUp(hangs(''));
    const asked = session.ask('Why?', []);
    await until(() => session.busy);
    const told = () => actions.filter((action) => action.type === 'describe' && Object.keys(action.facts).length === 0);
    const before = told().length;
    t.mock.timers.tick(40_000);
    assert.equal(told().length - before, 2);
    await session.stop();
    await asked;
    t.mock.timers.tick(60_000);
    assert.equal(told().length - before, 2, 'an ended one says nothing more');
  });

  it('keeps an answer without text that the other one may still be writing, when the question is asked again', async () => {
    const { session: other } = setUp();
    other.follow([asking('q', 2), answering('a', 3, 'q')]);
    // As it is read from the disk while its window thinks.
    const presumed = (message: Message): Message =>
      message.role === 'assistant' ? { ...message, state: 'failed', isPresumedCut: true } : message;
    const { tree, messages } = other.conversation;
    const cut = {
      ...other.conversation,
      tree: new Map([...tree].map(([id, message]) => [id, presumed(message)])),
      messages: messages.map(presumed),
    };
    const { session, actions } = setUpFrom(cut, says('again'));
    await session.retry('q');
    assert.equal(lastAnswer(session.conversation.messages).text, 'again');
    assert.ok(actions.every(({ type }) => type !== 'delete'));
    session.follow([append('a', 'the first one'), end('a', 5000)]);
    session.choose('a');
    assert.equal(lastAnswer(session.conversation.messages).text, 'the first one');
  });

  it('aborts its own request when the other one deletes the answer', async () => {
    const { session, gathering } = setUp(hangs('half'));
    const asked = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    session.follow([{ type: 'delete', ids: [lastAnswer(session.conversation.messages).id], at: 3000 }]);
    assert.equal((await asked)?.state, 'stopped');
    assert.equal(session.busy, false);
  });

  it('aborts its own request when the other one ends the answer', async () => {
    let aborted = false;
    const { session, actions, gathering, time } = setUp(hangs('half', () => (aborted = true)));
    const asked = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    gathering.shift()?.();
    await until(() => lastAnswer(session.conversation.messages).text === 'half');
    time.now = 3000;
    session.follow([end(lastAnswer(session.conversation.messages).id, 2000, { state: 'stopped' })]);
    assert.equal(aborted, true);
    const answer = await asked;
    assert.deepEqual([answer?.state, answer?.text], ['stopped', 'half']);
    assert.equal(session.busy, false);
    assert.ok(
      actions.every(({ type }) => type !== 'end'),
      'it was ended once, and not here',
    );
  });

  it('aborts its request when the question is deleted meanwhile: nobody would see what comes of it', async () => {
    let aborted = false;
    const { session, gathering } = setUp(hangs('half', () => (aborted = true)));
    const asked = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    session.delete(session.conversation.messages[0]?.id ?? '');
    assert.equal((await asked)?.state, 'stopped');
    assert.deepEqual([aborted, session.busy, session.conversation.messages], [true, false, []]);
  });

  it('goes on with its own request whatever else the other one does', async () => {
    const gate = withResolvers();
    const { session, gathering } = setUp(async function* () {
      yield text('half');
      await gate.promise;
      yield text(' and half');
      yield finish;
    });
    const asked = session.ask('Why?', []);
    await until(() => gathering.length > 0);
    session.follow(turn('other', 2000));
    assert.deepEqual(idsOf(session.conversation.messages), ['qother', 'aother'], 'the later question is shown');
    assert.equal(session.busy, true);
    gate.resolve();
    assert.equal((await asked)?.text, 'half and half');
  });

  it('has its later choice hold, though the clock of the other window is ahead', () => {
    const { session, time } = setUp();
    session.follow([...turn(1, 10), ...turn('1b', time.now + 60_000)]);
    assert.deepEqual(idsOf(session.conversation.messages), ['q1b', 'a1b']);
    session.choose('q1');
    assert.deepEqual(idsOf(session.conversation.messages), ['q1', 'a1']);
  });

  it('takes in what was written of an answer before its window heard of the end', () => {
    const { session } = setUp();
    session.follow([...turn(1, 10), append('a1', ', and more'), describing('a1', { model: 'm' })]);
    const last = lastAnswer(session.conversation.messages);
    assert.deepEqual([last.text, last.model, last.state], ['Answer a1, and more', 'm', 'complete']);
  });
});

describe('Deleting in a session', () => {
  it('takes a question with all versions of its answer, and what followed stays', async () => {
    const { session } = setUp(says('a1'), says('a1b'), says('a2'));
    await session.ask('q1', []);
    await session.retry();
    await session.ask('q2', []);
    const before = session.conversation.messages;
    const ids = session.delete(before[0]?.id ?? '');
    assert.equal(ids.length, 3);
    assert.deepEqual(textsOf(session.conversation.messages), ['q2', 'a2']);
    assert.deepEqual(session.delete(before[0]?.id ?? ''), [], 'it is deleted already');
    session.restore(ids);
    assert.deepEqual(session.conversation.messages, before);
  });

  it('takes an answer alone, and shows another version of it', async () => {
    const { session } = setUp(says('one'), says('another'));
    const first = await session.ask('Why?', []);
    const second = await session.retry();
    assert.deepEqual(session.delete(second?.id ?? ''), [second?.id]);
    assert.equal(lastAnswer(session.conversation.messages).id, first?.id);
  });
});

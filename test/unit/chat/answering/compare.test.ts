import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import { emptyConversation, streamingAnswers } from '../../../../src/chat/conversation/conversation.ts';
import { replay } from '../../../../src/chat/conversation/reduce.ts';
import { parseAction } from '../../../../src/chat/history/actionSchema.ts';
import { readCompletionEvents } from '../../../../src/service/chat/chat.ts';
import { fails, finish, hangs, lastAnswer, type Script, says, setUp, text, withResolvers } from '../sessions.ts';
import { until } from '../until.ts';

const [one, two] = [
  { model: 'one', parameters: { temperature: 0 } },
  { preset: 'warm', model: 'two', parameters: { temperature: 1 } },
];
const asking = { text: 'Why?', attachments: [] };

/** A conversation whose service follows scripts, and the versions of its last answer. */
function begin(...scripts: Script[]) {
  const made = setUp(...scripts);
  const versions = () => [...made.session.conversation.tree.values()].filter((message) => message.role === 'assistant');
  return { ...made, versions, said: () => versions().map(({ text: said, state }) => [said, state]) };
}

describe('Answers that are compared', () => {
  it('are written at a time, each by its own model and parameters, the first one shown', async () => {
    const [gate, other] = [withResolvers(), withResolvers()];
    const waits = (word: string, until: Promise<void>): Script =>
      async function* () {
        yield text(word);
        await until;
        yield finish;
      };
    const { session, requests, models, said, versions, gathering } = begin(
      waits('a', gate.promise),
      waits('b', other.promise),
    );
    session.configure({ parameters: { top_p: 0.5, n: 3 } });
    const comparing = session.compare([one, two], asking);
    await until(() => requests.length === 2);
    assert.equal(session.busy, true);
    await until(() => gathering.length === 2);
    for (const go of gathering) go();
    await until(() => said().every(([words]) => words !== ''));
    assert.deepEqual(said(), [
      ['a', 'streaming'],
      ['b', 'streaming'],
    ]);
    other.resolve();
    await until(() => versions()[1]?.state === 'complete');
    assert.equal(session.busy, true, 'one of them is still written');
    assert.equal(streamingAnswers(session.conversation).length, 1);
    gate.resolve();
    const answer = await comparing;
    assert.deepEqual(models, ['one', 'two']);
    assert.deepEqual(
      requests.map(({ fields }) => fields),
      [{ temperature: 0 }, { temperature: 1 }],
      'neither has what the conversation sets, nor asks for several',
    );
    assert.deepEqual([answer?.text, lastAnswer(session.conversation.messages).text], ['a', 'a']);
    assert.equal(session.busy, false);
  });

  it('say in the file of the conversation what each was asked with', async () => {
    const { session, actions } = begin(says('a'), says('b'));
    await session.compare([one, two], asking);
    const kept = actions.map((action) => parseAction(JSON.parse(JSON.stringify(action))));
    assert.ok(kept.every((action) => action !== undefined));
    const again = replay(emptyConversation('c', 1), kept);
    const answers = [...again.tree.values()].filter((message) => message.role === 'assistant');
    assert.deepEqual(
      answers.map(({ asked, text: said }) => [asked, said]),
      [
        [one, 'a'],
        [two, 'b'],
      ],
    );
  });

  it('fail each by itself', async () => {
    const { session, said } = begin(fails(new ServiceError('overloaded'), 'half'), says('whole'));
    await session.compare([one, two], asking);
    assert.deepEqual(said(), [
      ['half', 'failed'],
      ['whole', 'complete'],
    ]);
  });

  it('stop all at once; what each has stays', async () => {
    const { session, said, requests } = begin(hangs('a'), hangs('b'));
    const comparing = session.compare([one, two], asking);
    await until(() => requests.length === 2);
    await session.stop();
    await comparing;
    assert.deepEqual(said(), [
      ['a', 'stopped'],
      ['b', 'stopped'],
    ]);
    assert.equal(session.busy, false);
  });

  it('answer the last question again where none is given; what was there stays a version', async () => {
    const { session, said } = begin(says('before'), says('a'), says('b'));
    await session.ask('Why?', []);
    await session.compare([one, two]);
    assert.deepEqual(
      said().map(([words]) => words),
      ['before', 'a', 'b'],
    );
    assert.equal(lastAnswer(session.conversation.messages).text, 'a');
  });

  it('lead nowhere without a question', async () => {
    const { session, requests } = begin();
    assert.equal(await session.compare([one, two]), undefined);
    assert.equal(requests.length, 0);
  });

  it('end where another window ends them, and one that is deleted ends alone', async () => {
    const { session, versions, requests } = begin(hangs('a'), hangs('b'));
    const comparing = session.compare([one, two], asking);
    await until(() => requests.length === 2);
    const [first, second] = versions();
    session.delete(first?.id ?? '');
    await until(() => versions()[0]?.state === 'stopped');
    assert.equal(versions()[1]?.state, 'streaming');
    session.follow([{ type: 'end', id: second?.id ?? '', state: 'stopped', totalMs: 1, at: 5000 }]);
    await comparing;
    assert.equal(session.busy, false);
  });

  it('of another window are all ended by Stop here, also those that are not shown', async () => {
    const { session, said, requests } = begin(says('here'));
    await session.ask('Why?', []);
    const question = session.conversation.messages[0]?.id ?? '';
    session.follow([
      { type: 'answer', id: 'x', parent: question, at: 5000 },
      { type: 'answer', id: 'y', parent: question, at: 5001 },
      { type: 'choose', id: 'x', at: 5002 },
      { type: 'append', id: 'y', field: 'text', text: 'there' },
    ]);
    assert.equal(streamingAnswers(session.conversation).length, 2);
    assert.equal(session.busy, false, 'nothing is written here');
    await session.stop();
    assert.deepEqual(said(), [
      ['here', 'complete'],
      ['', 'stopped'],
      ['there', 'stopped'],
    ]);
    assert.equal(requests.length, 1);
  });

  it('have nothing in the file of a conversation that is not as it has to be', () => {
    const described = (facts: unknown) => parseAction({ type: 'describe', id: 'a', facts });
    assert.ok(described({ asked: { parameters: {} }, missing: 127 }));
    for (const hostile of [
      { asked: 'x' },
      { asked: { model: 'm' } },
      { asked: { model: 'm'.repeat(501), parameters: {} } },
      { asked: { preset: 7, parameters: {} } },
      { asked: { parameters: { temperature: 'hot' } } },
      { missing: -1 },
      { missing: 1e9 },
      { missing: 1.5 },
    ])
      assert.equal(described(hostile), undefined, JSON.stringify(hostile).slice(0, 60));
  });

  it('go on each with what it was asked with', async () => {
    const { session, models, requests } = begin(hangs('first half'), hangs('b'), says('second half'));
    const comparing = session.compare([two, one], asking);
    await until(() => requests.length === 2);
    await session.stop();
    await comparing;
    await session.continue(lastAnswer(session.conversation.messages).id);
    assert.deepEqual([models.at(-1), requests.at(-1)?.fields], ['two', { temperature: 1 }]);
  });
});

describe('Choices that no sound service sends', () => {
  /** What comes of events of a stream, where so many answers were asked for. */
  async function answersTo(n: number, ...chunks: unknown[]) {
    const stream = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    const made = begin(async function* () {
      yield* readCompletionEvents(bytesOf(stream), { url: 'http://localhost/v1' });
    });
    made.session.configure({ parameters: { n } });
    await made.session.ask('Why?', []);
    return made.said();
  }
  async function* bytesOf(stream: string) {
    yield Buffer.from(stream);
  }
  const chunk = (index: unknown, content: string) => ({ choices: [{ index, delta: { content } }] });
  const end = (index: unknown) => ({ choices: [{ index, delta: {}, finish_reason: 'stop' }] });

  it('have their place in the list for an index where theirs is none', async () => {
    for (const odd of [null, undefined, '0', {}]) {
      assert.deepEqual(await answersTo(2, chunk(odd, 'a'), chunk(1, 'b'), end(odd), end(1)), [
        ['a', 'complete'],
        ['b', 'complete'],
      ]);
    }
  });

  it('end the answer where their index is none that can be; what came stays', async () => {
    for (const odd of [-1, 1e9, 0.5, 129]) {
      assert.deepEqual(await answersTo(2, chunk(0, 'a'), chunk(1, 'b'), chunk(odd, 'x'), end(0), end(1)), [
        ['a', 'failed'],
        ['b', 'failed'],
      ]);
    }
  });

  it('are no more versions than were asked for, however many come', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ index: index % 128, delta: { content: 'x' } }));
    const said = await answersTo(4, { choices: many }, ...[0, 1, 2, 3].map(end));
    assert.equal(said.length, 4);
    const beyond = Array.from({ length: 10_000 }, (_, index) => ({ index, delta: { content: 'x' } }));
    assert.deepEqual(
      (await answersTo(4, { choices: beyond })).map(([, state]) => state),
      ['failed', 'failed', 'failed', 'failed'],
    );
  });
});

describe('A service that gives one answer where several were asked for', () => {
  async function askFor(n: number, ...scripts: Script[]) {
    const made = begin(says('a'), ...scripts);
    made.session.configure({ parameters: { n, seed: 7 } });
    await made.session.ask('Why?', []);
    return made;
  }

  it('is asked no more by itself; the answer says how many are missing', async () => {
    const { session, requests } = await askFor(3);
    assert.equal(requests.length, 1);
    assert.equal(lastAnswer(session.conversation.messages).missing, 2);
  });

  it('is asked for each that is missing, with seeds of their own, and once', async () => {
    const { session, requests, said } = await askFor(3, says('b'), says('c'));
    const { id } = lastAnswer(session.conversation.messages);
    await session.askMissing(id);
    assert.deepEqual(
      requests.map(({ fields }) => fields),
      [{ n: 3, seed: 7 }, { seed: 8 }, { seed: 9 }],
    );
    assert.deepEqual(
      said().map(([words]) => words),
      ['a', 'b', 'c'],
    );
    assert.equal(lastAnswer(session.conversation.messages).id, id, 'what is read stays');
    assert.equal(await session.askMissing(id), undefined);
    assert.equal(requests.length, 3);
  });

  it('is asked four at a time, and no more once it is stopped', async () => {
    let [open, most] = [0, 0];
    const counted: Script = async function* () {
      open++;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      yield text('x');
      yield finish;
      open--;
    };
    const many = Array.from({ length: 20 }, () => counted);
    const { session, versions, requests } = await askFor(24, ...many, hangs('y'), hangs('y'), hangs('y'));
    const asking = session.askMissing(lastAnswer(session.conversation.messages).id);
    await until(() => requests.length === 24);
    assert.equal(most, 4);
    await session.stop();
    await asking;
    assert.equal(versions().length, 24);
    assert.ok(versions().every(({ state }) => state !== 'streaming'));
  });

  it('has nothing missing where it failed, was stopped, or gave all', async () => {
    const made = begin(fails(new ServiceError('overloaded')));
    made.session.configure({ parameters: { n: 3 } });
    await made.session.ask('Why?', []);
    assert.equal(lastAnswer(made.session.conversation.messages).missing, undefined);
    const whole = await askFor(1);
    assert.equal(lastAnswer(whole.session.conversation.messages).missing, undefined);
  });
});

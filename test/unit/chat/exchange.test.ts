import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type Conversation,
  emptyConversation,
  titleOf,
} from '../../../src/chat/conversation/conversation.ts';
import { reachable } from '../../../src/chat/conversation/path.ts';
import { replay } from '../../../src/chat/conversation/reduce.ts';
import { exportJson, isSameConversation } from '../../../src/chat/exchange/exportJson.ts';
import { type Imported, type ImportOptions, importJson } from '../../../src/chat/exchange/importJson.ts';
import { configurationOf } from '../../../src/chat/parameters/configuration.ts';
import type { ParameterValue } from '../../../src/chat/parameters/parameterForms.ts';
import { actionsOf, answer, append, ask, describing, end, idsOf, play, randomSteps, turn } from './actions.ts';
import { attachment } from './sessions.ts';

const workspace = { uri: 'file:///harbour', name: 'harbour' };
const options: ImportOptions = { now: 1_000_000, workspace, isTaken: () => false, newId: () => 'new' };

function imported(text: string, more: Partial<ImportOptions> = {}): Imported {
  const result = importJson(text, { ...options, ...more });
  assert.ok(typeof result !== 'string', String(result));
  return result;
}

/** The conversations of an import, as they are read from their files. */
const conversationsOf = ({ conversations }: Imported): Conversation[] =>
  conversations.map((actions) => {
    const [first] = actions;
    assert.ok(first?.type === 'create');
    return replay(emptyConversation(first.id, first.at), actions);
  });

/** A file with one conversation of these messages. */
const fileOf = (messages: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ format: 'parley-conversations', version: 1, conversations: [{ id: 'c', messages, ...more }] });

const question = { role: 'user', id: 'q', at: 5, text: 'Why?' };
const said = { role: 'assistant', id: 'a', parent: 'q', at: 6, text: 'So.' };

describe('Conversations that are exported and imported', () => {
  it('have the same tree, path, name and pin, and belong to the open folder', () => {
    fc.assert(
      fc.property(fc.array(randomSteps(60), { minLength: 1, maxLength: 3 }), (all) => {
        const before = all
          .map((steps, i) => play(actionsOf(steps, { name: `m${i}` }), emptyConversation(`c${i}`, 1)).conversation)
          .filter((conversation) => conversation.tree.size > 0);
        if (before.length === 0) return;
        const result = imported(exportJson(before));
        assert.equal(result.leftOut, 0);
        const after = conversationsOf(result);
        assert.deepEqual(after.map(comparable), before.map(comparable));
        for (const [i, each] of after.entries()) {
          assert.ok(isSameConversation(each, before[i] as Conversation));
          assert.equal(isSameConversation(each, after[i + 1] ?? emptyConversation('x', 2)), false);
        }
        for (const each of after) assert.deepEqual(each.workspace, workspace);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('say what an answer was asked with by itself, as far as it is as it has to be', () => {
    const asked = { preset: 'warm', model: 'm', parameters: { temperature: 1 } };
    const askedOf = (given: unknown) => {
      const [conversation] = conversationsOf(imported(fileOf([question, { ...said, asked: given }])));
      const answered = conversation?.tree.get('a');
      assert.ok(answered?.role === 'assistant' && answered.text === 'So.');
      return answered.asked;
    };
    assert.deepEqual(askedOf(asked), asked);
    for (const odd of [7, 'm', {}, { parameters: 'x' }, { ...asked, model: 'm'.repeat(501) }])
      assert.equal(askedOf(odd), undefined);
  });

  it('have texts, attachments, thoughts and facts as they were', () => {
    const facts = { model: 'm', usage: { totalTokens: 9 }, timings: { firstTokenMs: 3 }, finishReason: 'length' };
    const { conversation } = play([
      ...[ask('q', 10, undefined, { attachments: [attachment], label: 'Explain' }), answer('a', 11, 'q')],
      ...[append('a', 'Hm.', 'reasoning'), append('a', 'One'), describing('a', facts)],
      describing('a', { adjustments: [{ field: 'seed' }], declined: true }),
      end('a', 12, { state: 'failed', error: { kind: 'server', status: 500, message: 'Broken.' } }),
    ]);
    const [after] = conversationsOf(imported(exportJson([conversation])));
    assert.deepEqual(after?.messages, conversation.messages);
  });

  it('have nothing of what was deleted, but the places that something follows', () => {
    const secret = [ask('q1', 10, undefined, { text: 'SECRET' }), answer('a1', 11, 'q1'), append('a1', 'SECRET')];
    const { conversation } = play([
      ...secret,
      end('a1', 12),
      ...turn(2, 20, 'a1'),
      { type: 'delete', ids: ['q1', 'a1'], at: 30 },
    ]);
    const json = exportJson([conversation]);
    assert.doesNotMatch(json, /SECRET/);
    assert.deepEqual(idsOf(conversationsOf(imported(json))[0]?.messages ?? []), ['q2', 'a2']);
  });

  it('get ids of their own where theirs are taken, by others or by each other', () => {
    const { conversation } = play(turn(1, 10));
    const twice = exportJson([conversation, conversation]);
    let ids = 0;
    const newId = (): string => `new${ids++}`;
    const found = (isTaken: ImportOptions['isTaken']): string[] =>
      conversationsOf(imported(twice, { isTaken, newId })).map(({ id }) => id);
    assert.deepEqual(
      found(() => false),
      ['c', 'new0'],
    );
    assert.deepEqual(
      found((id) => id === 'c'),
      ['new1', 'new2'],
    );
  });

  it('have an answer that was being written as one that was cut off', () => {
    const { conversation } = play([ask('q', 10), answer('a', 11, 'q'), append('a', 'Half')]);
    const [after] = conversationsOf(imported(exportJson([conversation])));
    const last = after?.messages[1];
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.text, last.state, last.error], ['Half', 'failed', { kind: 'truncated' }]);
  });
});

describe('The model, prompt and parameters of a conversation', () => {
  const own = { model: 'm', systemPrompt: 'Be brief.', parameters: { temperature: 0.5 } };
  const configure: Action = { type: 'configure', ...own, instructions: { 'file:///harbour/AGENTS.md': false }, at: 20 };

  it('go along, but not which files of a folder are instructions', () => {
    const json = exportJson([play([...turn(1, 10), configure]).conversation]);
    assert.doesNotMatch(json, /AGENTS/);
    const [after] = conversationsOf(imported(json));
    assert.deepEqual(after && configurationOf(after.configured), { ...own, leftOut: new Set() });
  });

  it('go along with a schema of many levels', () => {
    let schema: ParameterValue = { type: 'string' };
    for (let level = 0; level < 30; level++) schema = { type: 'object', properties: { a: schema } };
    const parameters = { response_format: { type: 'json_schema', json_schema: { name: 'deep', schema } } };
    const deep: Action = { type: 'configure', parameters, at: 20 };
    const [after] = conversationsOf(imported(exportJson([play([...turn(1, 10), deep]).conversation])));
    assert.deepEqual(after && configurationOf(after.configured).parameters, parameters);
  });

  it('are left out, and counted, where they are none', () => {
    for (const configuration of [{ model: 7 }, { systemPrompt: {} }, { parameters: { temperature: 'hot' } }]) {
      assert.equal(imported(fileOf([question], { configuration })).leftOut, 1, JSON.stringify(configuration));
    }
    assert.equal(imported(fileOf([question], { configuration: {} })).leftOut, 0);
  });
});

describe('A file to import', () => {
  it('may say less than ours does', () => {
    const result = imported(fileOf([question, said], { id: undefined }));
    const [conversation] = conversationsOf(result);
    assert.ok(conversation);
    assert.deepEqual([conversation.id, titleOf(conversation)], ['new', 'Why?']);
    assert.deepEqual(
      conversation.messages.map(({ text }) => text),
      ['Why?', 'So.'],
    );
  });

  it('is named as what it is, where nothing of it can be taken', () => {
    for (const [text, problem] of [
      ['', 'no-json'],
      ['{"format": "parley-conversations", "version": 1, "conver', 'no-json'],
      [fileOf([question, said]).slice(0, -9), 'no-json'],
      ['null', 'another-format'],
      ['[]', 'another-format'],
      ['{"format":"other","version":1,"conversations":[]}', 'another-format'],
      ['{"format":"parley-conversations","version":1}', 'another-format'],
      ['{"format":"parley-conversations","version":2,"conversations":[]}', 'newer'],
      ['{"format":"parley-conversations","version":1,"conversations":[]}', 'empty'],
      ['{"format":"parley-conversations","version":1,"conversations":[7,{"messages":[]}]}', 'empty'],
      [`${'['.repeat(1_000_000)}`, 'another-format'],
      [fileOf([{ ...question, more: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }]), 'another-format'],
    ] as const) {
      assert.equal(importJson(text, options), problem, text.slice(0, 70));
    }
    assert.notEqual(importJson(fileOf([{ ...question, text: `${'['.repeat(99)}\\"` }]), options), 'another-format');
  });

  it('has what is not as it has to be left out, and counted', () => {
    const bad: readonly unknown[] = [
      null,
      'text',
      { ...question, id: '' },
      { ...question, id: '../../x' },
      { ...question, id: 'x'.repeat(65) },
      { ...question, id: 'b', text: 7 },
      { ...question, id: 'b', at: 'today' },
      { ...question, id: 'b', at: 1e300 },
      { ...question, id: 'b', role: 'system' },
      { ...question, id: 'b', parent: 'nowhere' },
      { ...question, id: 'b', attachments: [{ path: '/etc/passwd' }] },
      { ...question, id: 'b', attachments: Array.from({ length: 1001 }, () => attachment) },
      question,
      { ...said, id: 'b', parent: undefined },
      { ...said, id: 'b', parent: 'a' },
      { ...said, id: 'b', state: 'done' },
      { ...said, id: 'b', usage: { totalTokens: 'many' } },
      { ...said, id: 'b', model: 'x'.repeat(2001) },
      { ...said, id: 'b', error: { kind: 7 } },
    ];
    for (const each of bad) {
      const result = imported(fileOf([question, said, each]));
      assert.equal(result.leftOut, 1, JSON.stringify(each)?.slice(0, 80));
      assert.deepEqual(idsOf(conversationsOf(result)[0]?.messages ?? []), ['q', 'a']);
    }
    assert.equal(imported(fileOf([question, ...bad])).leftOut, bad.length);
  });

  it('names no time that has not come, and no address to try', () => {
    const error = { kind: 'not-found', url: 'https://a.example/v1', hint: 'https://evil.example/v1' };
    const future = [
      { ...question, at: 2_000_000 },
      { ...said, at: 3_000_000, state: 'failed', error },
    ];
    const result = imported(
      fileOf(future, { createdAt: 9e12, updatedAt: 9e12, title: 'T', chosen: [{ id: 'q', at: 9e12 }] }),
    );
    const [conversation] = conversationsOf(result);
    assert.ok(conversation && conversation.updatedAt <= options.now && conversation.createdAt <= options.now);
    const last = conversation.messages[1];
    assert.ok(last?.role === 'assistant');
    assert.deepEqual(last.error, { kind: 'not-found', url: 'https://a.example/v1' });
  });

  it('has so many messages and conversations, and no more', () => {
    const many = Array.from({ length: 20_100 }, (_, i) => ({ ...question, id: `q${i}` }));
    assert.equal(imported(fileOf(many)).leftOut, 100);
    const conversations = Array.from({ length: 10_005 }, () => ({ messages: [question] }));
    const file = JSON.stringify({ format: 'parley-conversations', version: 1, conversations });
    const result = imported(file);
    assert.deepEqual([result.conversations.length, result.leftOut], [10_000, 5]);
  });

  it('comes to actions of a file, or is refused, whatever it holds', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'assistant'),
        id: fc.constantFrom('a', 'b', '__proto__'),
        at: value,
        text: value,
      },
      { requiredKeys: [] },
    );
    const file = fc.record({
      format: fc.constant('parley-conversations'),
      version: fc.constant(1),
      conversations: fc.array(fc.record({ messages: fc.array(fc.oneof(message, value)), title: value, chosen: value })),
    });
    fc.assert(
      fc.property(fc.oneof(file, value), (given) => {
        const result = importJson(JSON.stringify(given), options);
        if (typeof result === 'string') return;
        for (const conversation of conversationsOf(result)) assert.ok(conversation.tree.size > 0);
      }),
      { seed: 8, numRuns: 2000 },
    );
  });
});

/** What an export has of a conversation. */
function comparable(conversation: Conversation) {
  const messages = reachable(conversation);
  return {
    id: conversation.id,
    createdAt: conversation.createdAt,
    title: titleOf(conversation),
    isPinned: conversation.isPinned,
    configuration: { ...configurationOf(conversation.configured), leftOut: undefined },
    messages: messages.map(ended),
    path: conversation.messages.map(ended),
  };
}

/** An answer that was being written is cut off by then. */
function ended(message: Conversation['messages'][number]) {
  if (message.role === 'user' || message.state !== 'streaming') return message;
  return {
    ...message,
    state: 'failed',
    error: { kind: 'truncated' },
    endedAt: message.at,
    timings: { ...message.timings, totalMs: 0 },
  };
}

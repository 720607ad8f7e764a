import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isJson } from '../../../../src/base/jsonText.ts';
import { checkValue } from '../../../../src/chat/structured/check/checkValue.ts';
import { type MeantMessage, readToolCases, type ToolCase, type ToolStep } from '../../../corpus/toolDialogues.ts';

const cases = readToolCases();
const steps = cases.flatMap((one) => one.steps.map((step) => ({ one, step })));
const refusals = ['unknown-tool', 'not-json', 'not-an-object', 'schema'];
const kinds = {
  ...{ arguments: 20, dialogues: 10, ends: 10, ids: 6, legacy: 4, names: 10 },
  ...{ 'no-calls': 8, schema: 8, stream: 10, text: 12, unicode: 4 },
};

/** The calls in the messages that go back: their ids and names; a function call of the older form has no id. */
function callsIn(messages: readonly MeantMessage[]): { id?: string; name: string; arguments: unknown }[] {
  const { tool_calls: calls, function_call: called } = messages[0] as {
    tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
    function_call?: { name: string; arguments: unknown };
  };
  return called === undefined ? (calls ?? []).map(({ id, function: made }) => ({ id, ...made })) : [called];
}

/** The arguments that go back, where they are not left open. */
function sentArguments(written: unknown): unknown {
  if (typeof written === 'string') return JSON.parse(written);
  return (written as { $json?: unknown }).$json;
}

function checkNext(one: ToolCase, step: ToolStep): void {
  const [first, ...results] = step.next;
  const calls = callsIn(step.next);
  assert.equal(first?.['role'], 'assistant');
  assert.equal(first?.['content'], step.text === '' ? null : step.text);
  assert.equal(calls.length, step.calls.length);
  assert.equal(results.length, calls.length, 'each call has a result');
  for (const [at, { id, name, arguments: written }] of calls.entries()) {
    const meant = step.calls[at] ?? assert.fail();
    const result = results[at] ?? assert.fail();
    assert.equal(result['role'], one.isLegacy ? 'function' : 'tool');
    if (one.isLegacy) assert.equal(result['name'], name);
    else assert.equal(result['tool_call_id'], id);
    assert.match(name, /^[\w-]{1,64}$/);
    const came = step.results.find(({ call }) => call === at);
    if ('refused' in meant) {
      assert.equal(came, undefined, 'a call that was refused has no result of a tool');
      assert.equal((result['content'] as { $error?: string }).$error, meant.refused);
      if (typeof written === 'string') JSON.parse(written);
    } else {
      assert.ok(came !== undefined);
      if (typeof result['content'] === 'string') assert.equal(result['content'], came.content);
      assert.deepEqual(sentArguments(written), meant.arguments);
      assert.equal(name, meant.name);
    }
  }
  const ids = calls.flatMap(({ id }) => id ?? []);
  assert.equal(new Set(ids).size, ids.length, 'ids differ');
}

describe('The corpus of dialogues with tools', () => {
  test('has cases of each kind, with names of their own', () => {
    assert.ok(cases.length >= 60, `${cases.length} cases`);
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    assert.deepEqual([...new Set(cases.map(({ kind }) => kind))].sort(), Object.keys(kinds).sort());
    for (const [kind, least] of Object.entries(kinds)) {
      const { length } = cases.filter((one) => one.kind === kind);
      assert.ok(length >= least, `${kind}: ${length}`);
    }
    for (const refusal of refusals) {
      assert.ok(
        steps.some(({ step }) => step.calls.some((call) => 'refused' in call && call.refused === refusal)),
        refusal,
      );
    }
  });

  for (const one of cases) {
    test(`${one.name} has the form of a case`, () => {
      assert.match(one.about, /^[A-Z].*\.$/s);
      assert.match(one.source, /\S/);
      for (const { name, description, parameters } of one.tools) {
        assert.match(name, /^[\w-]{1,64}$/);
        assert.notEqual(description, '');
        assert.equal(parameters['type'], 'object');
      }
      for (const message of one.messages) assert.equal(message['role'], 'user');
      assert.ok(one.steps.length >= 1);
      for (const [at, step] of one.steps.entries()) {
        checkStep(one, step);
        const isLast = at === one.steps.length - 1;
        assert.equal(step.next.length === 0, isLast, 'every step but the last is followed by a request');
        if (!isLast) checkNext(one, step);
      }
    });
  }
});

function checkStep({ kind, tools }: ToolCase, { answer, calls, text, reasoning, finish, refusal }: ToolStep): void {
  for (const shown of [text, reasoning, finish]) assert.equal(typeof shown, 'string');
  assert.ok(refusal === undefined || typeof refusal === 'string');
  assert.ok(['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'cut'].includes(finish), finish);
  if (kind === 'no-calls') assert.deepEqual(calls, []);
  if ('body' in answer) assert.equal(typeof JSON.parse(answer.body), 'object');
  else {
    const broken = answer.chunks.filter((data) => data !== '[DONE]' && !isJson(data));
    assert.ok(finish === 'cut' || broken.length === 0, broken[0]);
  }
  for (const call of calls) {
    if ('refused' in call) {
      assert.ok(refusals.includes(call.refused), call.refused);
      assert.match(call.about, /\.$/);
      assert.equal(
        tools.some(({ name }) => name === call.name),
        call.refused !== 'unknown-tool',
      );
      continue;
    }
    const tool = tools.find(({ name }) => name === call.name) ?? assert.fail(call.name);
    assert.deepEqual(checkValue(tool.parameters, call.arguments).violations, []);
  }
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { adjust } from '../../../src/service/compat/adjust.ts';
import type { Adjustment } from '../../../src/service/compat/fieldMemory.ts';
import { adjustmentFor } from '../../../src/service/compat/refusedField.ts';

const system = { role: 'system', content: 'Be brief.' };
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const bodyOf = (...messages: object[]) => ({ model: 'm', stream: true, messages });

function refused(message: string, body: object, made: readonly Adjustment[] = [], status = 400): string | undefined {
  const error = new ServiceError('bad-request', { status, message });
  return adjustmentFor(error, { ...body }, made)?.field;
}
const rewritten = (field: string, ...messages: object[]): unknown =>
  adjust(bodyOf(...messages), [{ field }]).body['messages'];

describe('A refused system message', () => {
  it('is known by the words of templates and services', () => {
    const words = [
      'System role not supported',
      'Only user and assistant roles are supported, got system',
      'Only user, assistant and tool roles are supported, got system.',
      'Developer instruction is not enabled for models/gemma-3-27b-it',
      "Unsupported role: 'system'",
      'This model does not support system messages.',
      'jinja2.exceptions.TemplateError: System role not supported',
      '该模型不支持 system 角色',
      '角色 system 不被支持',
      "messages.0.role: Input should be 'user' or 'assistant'",
      'Unexpected message role.',
    ];
    for (const message of words)
      for (const status of [400, 422, 500])
        assert.equal(refused(message, bodyOf(system, user('Hi')), [], status), 'messages.system', message);
  });

  it('goes before the first question, in whatever parts that has', () => {
    assert.deepEqual(rewritten('messages.system', system, user('Hi'), assistant('Ho'), user('Bye')), [
      user('Be brief.\n\nHi'),
      assistant('Ho'),
      user('Bye'),
    ]);
    const image = { type: 'image_url', image_url: { url: 'data:,' } };
    assert.deepEqual(rewritten('messages.system', system, user([image])), [
      user([{ type: 'text', text: 'Be brief.' }, image]),
    ]);
    assert.deepEqual(rewritten('messages.system', system, { ...system, content: 'And kind.' }, user('Hi')), [
      user('Be brief.\n\nAnd kind.\n\nHi'),
    ]);
  });

  it('is none where a system is spoken of, or where there is none', () => {
    assert.equal(refused('The file system is not supported', bodyOf(user('Hi'))), undefined);
    assert.equal(refused('System role not supported', bodyOf(user('Hi'))), undefined);
    assert.equal(
      refused("messages.1.role: Input should be 'system', 'user' or 'assistant'", bodyOf(system, user('Hi'))),
      undefined,
    );
    assert.equal(refused('The system is overloaded', bodyOf(system, user('Hi'))), undefined);
  });
});

describe('A refused order of messages', () => {
  const alternate = 'Conversation roles must alternate user/assistant/user/assistant/...';

  it('is put right first where it is not kept, and without a system message after that', () => {
    const body = bodyOf(system, user('a'), user('b'));
    assert.equal(refused(alternate, body), 'messages.order');
    assert.equal(refused(alternate, body, [{ field: 'messages.order' }]), 'messages.system');
    assert.equal(refused(alternate, bodyOf(system, user('a'))), 'messages.system');
    assert.equal(refused(alternate, bodyOf(user('a'))), undefined);
  });

  it('has neighbours of one role as one, one system message at the start, and an answer behind a result', () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: '1' }] };
    const result = { role: 'tool', tool_call_id: '1', content: 'x' };
    const messages = [
      user('a'),
      { ...system, content: 'A.' },
      user('b'),
      call,
      result,
      user('c'),
      { ...system, content: 'B.' },
    ];
    assert.deepEqual(rewritten('messages.order', ...messages), [
      { ...system, content: 'A.\n\nB.' },
      user('a\n\nb'),
      call,
      result,
      assistant('I have the result.'),
      user('c'),
    ]);
  });

  it('is one system message where a template takes one', () => {
    const two = bodyOf(system, system, user('a'));
    assert.equal(refused('System message must be at the beginning.', two), 'messages.order');
  });

  it('stays as it is where it is kept', () => {
    const body = bodyOf(system, user('a'), assistant('b'), user('c'));
    assert.equal(adjust(body, [{ field: 'messages.order' }]).body, body);
    assert.deepEqual(adjust(body, [{ field: 'messages.order' }]).adjustments, []);
  });
});

describe('Refused ids of calls', () => {
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: {} }],
  });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });

  it('are nine letters and digits from then on, the same for a call and its result', () => {
    const body = bodyOf(user('a'), call('call_PTLP8xhu'), result('call_PTLP8xhu'));
    const words = [
      'Tool call id was call_PTLP8xhu but must be a-z, A-Z, 0-9, with a length of 9.',
      'Tool call IDs should be alphanumeric strings with length 9!',
    ];
    for (const message of words) assert.equal(refused(message, body, [], 500), 'messages.ids');
    const [, made, answer] = rewritten('messages.ids', ...body.messages) as Record<string, unknown>[];
    const id = /"id":"([^"]*)"/.exec(JSON.stringify(made))?.[1];
    assert.match(String(id), /^[a-z0-9]{9}$/);
    assert.equal(answer?.['tool_call_id'], id);
  });

  it('are left where they are such ids', () => {
    const message = 'Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9.';
    assert.equal(refused(message, bodyOf(call('aB3dE6gH9'), result('aB3dE6gH9'))), undefined);
  });
});

describe('A tool whose schema a service refuses', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
  const body = {
    ...bodyOf(user('a')),
    tools: [tool('read'), tool('read_file'), tool('list')],
    tool_choice: 'required',
  };

  it('is left out by its name, or by its place', () => {
    const words: [message: string, field: string][] = [
      [
        "Invalid schema for function 'read_file': ['object', 'null'] is not valid under any of the given schemas",
        'tools.read_file',
      ],
      ['tools[2].function.parameters: unsupported $schema', 'tools.list'],
      ['Invalid value at tools.0.function.parameters.type', 'tools.read'],
      ['Tool `list` has invalid parameters', 'tools.list'],
    ];
    for (const [message, field] of words) assert.equal(refused(message, body), field, message);
    const left = adjust(body, [{ field: 'tools.read_file' }]).body['tools'] as { function: { name: string } }[];
    assert.deepEqual(
      left.map((each) => each.function.name),
      ['read', 'list'],
    );
  });

  it('is not left out for other words, and never the last one', () => {
    assert.equal(refused('The list of messages is invalid', body), undefined);
    assert.equal(refused('I cannot read this', body), undefined);
    assert.equal(refused("Invalid schema for function 'read'", { ...body, tools: [tool('read')] }), undefined);
  });
});

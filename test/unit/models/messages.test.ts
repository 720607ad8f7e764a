import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MessagePart, type RequestMessage, toChatMessages } from '../../../src/models/requests/messages.ts';
import { countTokens } from '../../../src/models/requests/tokenCount.ts';

const text = (value: string): MessagePart => ({ kind: 'text', text: value });
const image = { kind: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) } as const;
const call = (id: string): MessagePart => ({ kind: 'tool-call', id, name: 'look', input: { at: id } });
const result = (id: string, value: string): MessagePart => ({
  kind: 'tool-result',
  id,
  parts: [{ kind: 'text', text: value }],
});
const user = (...parts: MessagePart[]): RequestMessage => ({ role: 'user', parts });
const assistant = (...parts: MessagePart[]): RequestMessage => ({ role: 'assistant', parts });
const called = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: `{"at":"${id}"}` } });
const url = 'data:image/png;base64,AQID';

describe('messages of VS Code', () => {
  test('become messages of the service', () => {
    const messages: RequestMessage[] = [
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', name: 'Ada', parts: [text('Hello')] },
      assistant(text('Good '), text('day')),
      user(text('One'), text('two')),
    ];
    assert.deepEqual(toChatMessages(messages, false), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'Ada', content: 'Hello' },
      { role: 'assistant', content: 'Good day' },
      { role: 'user', content: 'One\ntwo' },
    ]);
  });

  test('results of tools stand right after the calls they answer, wherever the user’s messages have them', () => {
    const messages = [
      user(text('Look')),
      assistant(text('I look.'), call('a'), call('b')),
      user(text('And hurry'), result('a', 'A')),
      user(result('b', 'B'), text('now')),
    ];
    assert.deepEqual(toChatMessages(messages, false), [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: 'I look.', tool_calls: [called('a'), called('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'user', content: 'And hurry\n\nnow' },
    ]);
  });

  test('ids that a service uses again in every turn do not mix up the results', () => {
    const turn = (value: string) => [assistant(call('0')), user(result('0', value))];
    const contents = toChatMessages([...turn('first'), ...turn('second')], false).map(({ content }) => content);
    assert.deepEqual(contents, [null, 'first', null, 'second']);
  });

  test('images are sent to a model that takes them, as parts', () => {
    assert.deepEqual(toChatMessages([user(text('See'), image)], true), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    assert.deepEqual(toChatMessages([user(text('No image'))], true), [{ role: 'user', content: 'No image' }]);
  });

  test('a model that takes none reads that an image was left out', () => {
    const [message] = toChatMessages([user(text('See'), image)], false);
    assert.match(String(message?.content), /^See\n\[An image was left out/);
  });

  test('the image of a tool follows its result, since a result is text alone', () => {
    const shown: MessagePart = { kind: 'tool-result', id: 'a', parts: [image] };
    const [, tool, picture] = toChatMessages([assistant(call('a')), user(shown)], true);
    assert.deepEqual(tool, { role: 'tool', tool_call_id: 'a', content: '[The image is in the next message.]' });
    assert.deepEqual(picture, { role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
    const [, left] = toChatMessages([assistant(call('a')), user(shown)], false);
    assert.match(String(left?.content), /left out/);
  });

  test('messages with nothing in them are not sent', () => {
    assert.deepEqual(toChatMessages([user(), assistant(), assistant(text('')), user(text('x'))], false), [
      { role: 'user', content: 'x' },
    ]);
  });
});

describe('the count of tokens', () => {
  test('counts every part of a message, an image as much as a page of text', () => {
    const plain = countTokens('a question about the code');
    assert.ok(countTokens(user(text('a question about the code'))) > plain);
    assert.ok(countTokens(user(image)) > 500);
    assert.ok(countTokens(assistant(call('some-id'))) > countTokens(assistant()));
    assert.ok(countTokens(user(result('a', 'word '.repeat(100)))) > 100);
  });
});

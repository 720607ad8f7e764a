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

const tool = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const noResult = '[The tool gave no result: the call was stopped.]';

describe('messages that templates and services refuse', () => {
  test('a call has a result, also where none came', () => {
    const messages = [user(text('a')), assistant(call('1'), call('2')), user(result('2', 'B'), text('b'))];
    assert.deepEqual(toChatMessages(messages, false).slice(1), [
      { role: 'assistant', content: null, tool_calls: [called('1'), called('2')] },
      tool('1', noResult),
      tool('2', 'B'),
      { role: 'user', content: 'b' },
    ]);
    assert.deepEqual(toChatMessages([user(text('a')), assistant(call('1'))], false).at(-1), tool('1', noResult));
  });

  test('a result whose call is gone is text of the user', () => {
    assert.deepEqual(toChatMessages([user(result('gone', 'It rains.'), text('So?'))], false), [
      { role: 'user', content: 'So?\n[Result of a tool:]\nIt rains.' },
    ]);
  });

  test('two results of one call are one', () => {
    const messages = [assistant(call('1')), user(result('1', 'A'), result('1', 'B'))];
    assert.deepEqual(toChatMessages(messages, false).slice(1), [tool('1', 'A\nB')]);
  });

  test('what the assistant says between a call and its result stands behind the result', () => {
    const messages = [assistant(call('1')), assistant(text('I wait.')), user(result('1', 'A'))];
    const roles = toChatMessages(messages, false).map(({ role, content }) => [role, content]);
    assert.deepEqual(roles, [
      ['assistant', null],
      ['tool', 'A'],
      ['assistant', 'I wait.'],
    ]);
  });

  test('a result without text says so', () => {
    for (const parts of [[], [{ kind: 'text', text: ' \n' }]] as const) {
      const sent = toChatMessages([assistant(call('1')), user({ kind: 'tool-result', id: '1', parts })], false);
      assert.equal(sent.at(-1)?.content, '(empty)');
    }
  });

  test('data that no model takes is named, and a drawing goes along as its text', () => {
    const pdf: MessagePart = { kind: 'other', mimeType: 'application/pdf' };
    assert.match(
      String(toChatMessages([user(text('See'), pdf)], true)[0]?.content),
      /^See\n\[Data of the type application\/pdf/,
    );
    const svg: MessagePart = { kind: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg/>') };
    assert.equal(toChatMessages([user(svg)], true)[0]?.content, '<svg/>');
    const bmp: MessagePart = { kind: 'image', mimeType: 'image/bmp', data: new Uint8Array(3) };
    assert.match(String(toChatMessages([user(bmp)], true)[0]?.content), /image\/bmp/);
    const lying: MessagePart = { kind: 'image', mimeType: 'image/png', data: Buffer.from(`GIF89a${' '.repeat(40)}`) };
    assert.match(JSON.stringify(toChatMessages([user(lying)], true)), /data:image\/gif/);
    const jpg: MessagePart = { kind: 'image', mimeType: 'image/jpg', data: new Uint8Array(3) };
    assert.match(JSON.stringify(toChatMessages([user(jpg)], true)), /data:image\/jpeg/);
  });

  test('texts that are blank are left out', () => {
    assert.deepEqual(toChatMessages([user(text(' ')), user(text('a'), text('\n'), image)], true), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    assert.deepEqual(toChatMessages([user(text('a')), assistant(text(' \n')), user(text('b'))], false), [
      { role: 'user', content: 'a\n\nb' },
    ]);
  });

  test('there is one system message, at the start', () => {
    const system = (value: string): RequestMessage => ({ role: 'system', parts: [text(value)] });
    assert.deepEqual(toChatMessages([system('A'), user(text('x')), system('B')], false), [
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: 'x' },
    ]);
  });

  test('neighbours of one side are one message, with an image, too', () => {
    assert.deepEqual(toChatMessages([user(text('a')), user(text('b'), image), user(text('c'))], true), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'c' },
        ],
      },
    ]);
    assert.deepEqual(toChatMessages([user(text('a')), assistant(text('b')), assistant(text('c'))], false).at(-1), {
      role: 'assistant',
      content: 'b\n\nc',
    });
    const named = { role: 'user', name: 'Ada', parts: [text('a')] } as const;
    assert.equal(toChatMessages([named, user(text('b'))], false).length, 2);
  });

  test('an id that services refuse is another one, the same for the call and its result', () => {
    for (const id of [`call_${'x'.repeat(36)}`, 'call one', 'größe']) {
      const [made, answer] = toChatMessages([assistant(call(id)), user(result(id, 'A'))], false);
      assert.match(made?.tool_calls?.[0]?.id ?? '', /^[a-z0-9]{9}$/);
      assert.equal(answer?.tool_call_id, made?.tool_calls?.[0]?.id);
    }
    const [kept] = toChatMessages([assistant(call('functions.look:0'))], false);
    assert.equal(kept?.tool_calls?.[0]?.id, 'functions.look:0');
  });
});

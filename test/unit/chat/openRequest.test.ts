import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { emptyConversation } from '../../../src/chat/conversation/conversation.ts';
import { replay } from '../../../src/chat/conversation/reduce.ts';
import { curlBody } from '../../../src/chat/exchange/curlBody.ts';
import { importJson } from '../../../src/chat/exchange/importJson.ts';
import { openRequest } from '../../../src/chat/exchange/openRequest.ts';
import { copyAs } from '../../../src/connect/exchanges/copyAs.ts';

const ids = () => {
  let next = 0;
  return () => `m${next++}`;
};
const opened = (body: unknown) => openRequest(typeof body === 'string' ? body : JSON.stringify(body), ids());

/** What the earlier turns come to once they are imported. */
function turnsOf(json: string | undefined): [string, string][] {
  const read = importJson(json ?? '', { now: 1000, isTaken: () => false, newId: () => 'c' });
  assert.ok(typeof read === 'object' && read.leftOut === 0);
  return (
    replay(emptyConversation('c', 0), read.conversations[0] ?? []).messages.map(({ role, text }) => [role, text]) ?? []
  );
}

describe('A request that is opened', () => {
  test('is a conversation with its model, its system prompt and its parameters; the question waits', () => {
    const request = opened({
      model: 'llama',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'When is high water?' },
        { role: 'assistant', content: 'At six.' },
        { role: 'user', content: [{ type: 'text', text: 'And low water?' }] },
      ],
      temperature: 0.2,
      stop: null,
      stream: true,
    });
    assert.deepEqual(
      [request?.model, request?.systemPrompt, request?.parameters, request?.question, request?.leftOut],
      ['llama', 'Be brief.', { temperature: 0.2, stream: true }, 'And low water?', 0],
    );
    assert.deepEqual(turnsOf(request?.turns), [
      ['user', 'When is high water?'],
      ['assistant', 'At six.'],
    ]);
  });

  test('of one question has no earlier turns; of a whole conversation no question', () => {
    const one = opened({ messages: [{ role: 'user', content: 'Why?' }] });
    assert.deepEqual([one?.turns, one?.question, one?.model], [undefined, 'Why?', undefined]);
    const whole = opened({
      messages: [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'So.' },
      ],
    });
    assert.equal(whole?.question, '');
    assert.equal(turnsOf(whole?.turns).length, 2);
  });

  test('has messages of one side as one, and counts what has no place', () => {
    const request = opened({
      messages: [
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'One' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Two' },
            { type: 'image_url', image_url: { url: 'data:,' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{}] },
        { role: 'tool', content: '7', tool_call_id: '1' },
        { role: 'developer', content: 'Be brief.' },
        7,
      ],
      top_k: 40,
      temperature: 'hot',
    });
    assert.deepEqual(
      [request?.question, request?.systemPrompt, request?.turns],
      ['One\n\nTwo', 'Be brief.', undefined],
    );
    assert.equal(request?.leftOut, 7, 'a greeting, an image, a call, its result, a 7, and two fields');
    assert.deepEqual(request?.parameters, {});
  });

  test('counts a system prompt and a model that are too long, or no text', () => {
    const user = { role: 'user', content: 'Why?' };
    const long = opened({ model: 'm'.repeat(501), messages: [{ role: 'system', content: 'x'.repeat(100_001) }, user] });
    assert.deepEqual([long?.leftOut, long?.model, long?.systemPrompt], [2, undefined, undefined]);
    assert.equal(opened({ model: 7, messages: [user] })?.leftOut, 1);
    assert.equal(opened({ model: '', messages: [{ role: 'system', content: '' }, user] })?.leftOut, 0);
  });

  test('has a limit of tokens by either of its names', () => {
    const messages = [{ role: 'user', content: 'Why?' }];
    assert.deepEqual(opened({ messages, max_completion_tokens: 9 })?.parameters, { max_tokens: 9 });
    const both = opened({ messages, max_tokens: 5, max_completion_tokens: 9 });
    assert.deepEqual([both?.parameters, both?.leftOut], [{ max_tokens: 5 }, 1]);
  });

  test('may stand in a fence, or behind a byte order mark, and quote a command', () => {
    const content = `curl h -d '{"messages":[{"role":"user","content":"No"}]}'`;
    const json = JSON.stringify({ messages: [{ role: 'user', content }] });
    for (const text of [json, `\uFEFF${json}`, `\`\`\`json\n${json}\n\`\`\``, `\n${json}\n`])
      assert.equal(opened(text)?.question, content, text);
    assert.equal(opened(`\`\`\`bash\n${content}\n\`\`\``)?.question, 'No');
  });

  test('has earlier turns beside tools whose schemas are many levels deep', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 30; level++) schema = { type: 'object', properties: { a: schema } };
    const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
    const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: role }));
    const request = opened({ messages, tools });
    assert.deepEqual(request?.parameters, { tools });
    assert.equal(turnsOf(request?.turns).length, 2);
  });

  test('anything else is none', () => {
    for (const text of [
      '',
      'curl',
      'hello',
      '[]',
      '{}',
      '{"messages":[]}',
      '{"messages":"x"}',
      'curl -d @body.json http://x',
    ]) {
      assert.equal(opened(text), undefined, text);
    }
    assert.equal(opened(`{"messages":${'['.repeat(100_000)}`), undefined);
  });

  test('no text breaks it', () => {
    const member = fc.oneof(fc.json(), fc.constant('{"messages":[{"role":"user","content":"x"}]}'));
    fc.assert(fc.property(fc.oneof(fc.string(), member), (text) => void opened(text)));
    fc.assert(fc.property(fc.array(fc.jsonValue()), (messages) => void opened({ messages })));
  });
});

/** As services and tools write commands: each with the body that a shell would send. */
const commands: readonly (readonly [what: string, command: string, body: string | undefined])[] = [
  [
    'a documentation',
    'curl https://h/v1/chat/completions \\\n  -H "Authorization: Bearer $KEY" \\\n  -d \'{\n  "a": 1\n}\'',
    '{\n  "a": 1\n}',
  ],
  ['a prompt before it', '$ curl http://h -d "{\\"a\\": \\"\\$5\\"}"', '{"a": "$5"}'],
  [
    'a collection of requests',
    "curl --location 'https://h' --header 'Content-Type: application/json' --data '{\"a\":1}'",
    '{"a":1}',
  ],
  ['a browser', "curl 'https://h' --data-raw $'{\"a\":\"it\\'s \\u00e9\\n\"}' --compressed", '{"a":"it\'s é\n"}'],
  ['JSON by its own name', 'curl --json \'{"a":1}\' https://h', '{"a":1}'],
  ['an equals sign', 'curl https://h --data=\'{"a":1}\'', '{"a":1}'],
  ['no space', 'curl https://h -d\'{"a":1}\'', '{"a":1}'],
  ['a quote within quotes', "curl h -d '{\"a\":\"it'\\''s\"}'", '{"a":"it\'s"}'],
  ['an address before the program', '/usr/bin/curl h -d 1', '1'],
  ['Windows', 'curl.exe h -d 1', '1'],
  ['options in one', "curl -sSLd '{}' https://h", '{}'],
  ['options in one, with the body', "curl -sd'{}' https://h", '{}'],
  ['the value of another option that looks like one', "curl -H -d -o --json h -d '{}'", '{}'],
  ['JSON in pieces', `curl --json '{"a":' --json '1}' h`, '{"a":1}'],
  ['a variable before it', "KEY=x curl h -d '{}'", '{}'],
  ['a line before it, and the prompt of a user', "# ask\nme@host:~$ curl h -d '{}'", '{}'],
  ['a command before it', "curl http://h/v1/models && curl http://h -d '{}' | jq .", '{}'],
  ['a document', `curl h -d @- <<'EOF'\n{"a": "it's \\n"}\nEOF\n`, `{"a": "it's \\n"}`],
  ['a document whose backslashes count', 'curl h -d @- <<EOF\n{"a": "\\$5"}\nEOF', '{"a": "$5"}'],
  ['a document in a command', 'curl h -d "$(cat <<EOF\n{"a": 1}\nEOF\n)"', '{"a": 1}'],
  ['a pipe', "echo '{}' | curl h -d @-", '{}'],
  ['a document that does not end', 'curl h -d @- <<EOF\n{}', undefined],
  ['letters beyond the first plane', 'curl h -d $\'{"a":"\\U0001F600\\ud83d\\ude00"}\'', '{"a":"😀😀"}'],
  ['bytes of UTF-8', 'curl h -d $\'{"a":"\\xc3\\xa9\\303\\251"}\'', '{"a":"éé"}'],
  ['numbers of letters, as Firefox has them', 'curl h -d $\'{"a":"\\xe9"}\'', '{"a":"é"}'],
  [
    'cmd, from a browser',
    'curl ^"https://h^" ^\r\n  -H ^"a: b^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":^\\^"50^%^ b^\\\\n^\\^"^}^"',
    '{"a":"50% b\\n"}',
  ],
  ['cmd', 'curl --location "https://h" ^\r\n--data "{\\"a\\": \\"b\\"}"', '{"a": "b"}'],
  ['cmd, with doubled quotes', 'curl "https://h" -d "{""a"":""b""}"', '{"a":"b"}'],
  ['PowerShell', 'curl.exe h `\n  -d "{`"a`":`"b`"}"', '{"a":"b"}'],
  ['PowerShell, with a quote in quotes', `PS C:\\> curl.exe h -d '{"a":"it''s"}'`, '{"a":"it\'s"}'],
  ['PowerShell, before version 7.3', `curl.exe h -d '{\\"a\\":\\"b\\"}'`, '{"a":"b"}'],
  ['a file', 'curl h --data-binary @body.json', undefined],
  ['a file by a name that is raw', 'curl h --data-raw @body.json', '@body.json'],
  ['no body', 'curl -H "a: b" https://h', undefined],
  ['another program', "wget --data '{}' h", undefined],
];

describe('The body of a command of cURL', () => {
  for (const [what, command, body] of commands) {
    test(`is read as a shell would: ${what}`, () => assert.equal(curlBody(command), body));
  }

  test('that Parley copies is what was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (content) => {
        const text = JSON.stringify({ messages: [{ role: 'user', content }] });
        const command = copyAs(
          {
            method: 'POST',
            url: 'https://h/v1/chat/completions',
            accept: '',
            key: undefined,
            body: { kind: 'json', text },
          },
          'curl',
        );
        assert.deepEqual(JSON.parse(curlBody(command ?? '') ?? ''), JSON.parse(text));
      }),
    );
  });

  test('no command takes long, however many quotes it leaves open', () => {
    for (const text of [
      "'".repeat(200_001),
      '"\\'.repeat(100_000),
      "$'\\".repeat(100_000),
      `curl ${'\\\n'.repeat(100_000)}`,
      `-d @- ${'<<a'.repeat(200_000)}`,
      'curl -d '.repeat(50_000),
      '^"'.repeat(200_000),
    ]) {
      curlBody(`curl ${text}`);
    }
  });
});

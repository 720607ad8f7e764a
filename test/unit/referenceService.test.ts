import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAULTS } from '../service/faults.ts';
import type { ReferenceService } from '../service/options.ts';
import { readSelfSignedPair } from '../service/selfSigned.ts';
import { createReferenceService } from '../service/server.ts';

const KEY = 'sk-test';
let service: ReferenceService;
before(async () => {
  service = await createReferenceService({ key: KEY });
});
after(() => service.close());

function post(path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(`${service.baseUrl}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  });
}

const ask = (content: string, more: object = {}) => ({
  model: 'parley-chat',
  messages: [{ role: 'user', content }],
  ...more,
});

// The shapes are what these tests are about; each is read by the assertions that follow.
// biome-ignore lint/suspicious/noExplicitAny: see above
const chat = async (body: object): Promise<any> => (await post('chat/completions', body)).json();

// biome-ignore lint/suspicious/noExplicitAny: as for chat
function readEvents(text: string): any[] {
  const events = text.split('\n\n').filter(Boolean);
  assert.ok(events.every((event) => event.startsWith('data: ')));
  return events.map((event) => (event === 'data: [DONE]' ? '[DONE]' : JSON.parse(event.slice(6))));
}

const textOf = (events: { choices?: { delta: { content?: string } }[] }[]) =>
  events.map((event) => event.choices?.[0]?.delta.content ?? '').join('');

test('a request without the right bearer key gets 401 in the OpenAI shape, on every operation', async () => {
  const operations = [
    ['GET', 'models'],
    ['POST', 'chat/completions'],
    ['POST', 'embeddings'],
    ['POST', 'audio/translations'],
  ];
  for (const [method = '', path = ''] of operations) {
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${KEY}`]) {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(`${service.baseUrl}/${path}`, { method, headers });
      assert.equal(response.status, 401);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'invalid_api_key');
      assert.ok(!error.message.includes(KEY));
    }
  }
});

test('every field of the chat table is accepted', async () => {
  const definition = { name: 'find', description: 'finds', parameters: { type: 'object' } };
  const answer = await chat({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'look', name: 'ann' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }],
      },
      { role: 'tool', content: '3 files', tool_call_id: 'c1' },
      { role: 'user', content: 'say: ok' },
    ],
    model: 'parley-chat',
    frequency_penalty: 0,
    presence_penalty: 0,
    function_call: 'none',
    functions: [definition],
    tools: [{ type: 'function', function: definition }],
    tool_choice: 'none',
    parallel_tool_calls: true,
    logit_bias: null,
    logprobs: true,
    top_logprobs: 10,
    max_tokens: 50,
    n: 2,
    response_format: { type: 'text' },
    seed: 7,
    stop: 'END',
    stream: false,
    stream_options: null,
    temperature: 1,
    top_p: 1,
    user: 'u',
  });
  assert.equal(answer.object, 'chat.completion');
  assert.deepEqual(
    answer.choices.map((choice: { message: { content: string } }) => choice.message.content),
    ['ok', 'ok'],
  );
  assert.equal(answer.choices[0].logprobs.content[0].top_logprobs.length, 10);
  assert.deepEqual(answer.choices[0].logprobs.content[0].bytes, [111, 107]);
  assert.deepEqual(Object.keys(answer.usage), [
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
    'prompt_time',
    'completion_time',
    'queue_time',
    'total_time',
  ]);
});

test('an unknown, ill-typed or missing field gets 400 that names it', async () => {
  const wrong: [object, string][] = [
    [ask('x', { max_completion_tokens: 5 }), 'max_completion_tokens'],
    [ask('x', { temperature: '1' }), 'temperature'],
    [ask('x', { n: 1.5 }), 'n'],
    [ask('x', { top_logprobs: 3 }), 'top_logprobs'],
    [ask('x', { tools: [{ type: 'function', function: {} }] }), 'tools[0].function.name'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: [] }, 'messages'],
    [{ model: 'm', messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [{ model: 'm', messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
    [{ model: 'm', messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 'x' }] }, 'model'],
  ];
  for (const [body, param] of wrong) {
    const response = await post('chat/completions', body);
    assert.equal(response.status, 400, param);
    assert.equal(((await response.json()) as { error: { param: string } }).error.param, param);
  }
});

test('stop and max_tokens cut the answer', async () => {
  const stopped = await chat(ask('say: one two three', { stop: ' three' }));
  assert.equal(stopped.choices[0].message.content, 'one two');
  assert.equal(stopped.choices[0].finish_reason, 'stop');
  const cut = await chat(ask('count to 9', { max_tokens: 2 }));
  assert.equal(cut.choices[0].message.content, 'word1 word2');
  assert.equal(cut.choices[0].finish_reason, 'length');
});

test('an edit request is answered with the edited code alone, in one fence', async () => {
  const edit = async (instruction: string) => {
    const answer = await chat({
      model: 'parley-chat',
      messages: [
        { role: 'system', content: 'You edit code. Return only the edited code.' },
        { role: 'user', content: `Instruction: ${instruction}\n\n\`\`\`ts\nfunction a() {\n  return a;\n}\n\`\`\`` },
      ],
    });
    return answer.choices[0].message.content;
  };
  assert.equal(await edit('rename a to b'), '```ts\nfunction b() {\n  return b;\n}\n```');
  assert.match(await edit('add a doc comment'), /^```ts\n\/\*\* .* \*\/\nfunction a\(\) \{\n {2}return a;\n\}\n```$/);
  assert.match(await edit('guard it'), /^```ts\n\/\/ Changed as asked: guard it\nfunction a/);
});

test('an explanation names the functions of the code', async () => {
  const answer = await chat(ask('Explain this.\n```python\ndef tide(x):\n    return x\n```'));
  const text = answer.choices[0].message.content;
  assert.match(text, /`tide`/);
  assert.match(text, /```python\ndef tide/);
});

test('a commit message says what the changed lines define', async () => {
  const diff =
    '--- a/src/berths.ts\n+++ b/src/berths.ts\n@@ -1,2 +1,2 @@ export function isDeepEnough(berth: Berth) {\n-  return a;\n+  return b;\n' +
    '--- /dev/null\n+++ b/src/tides.ts\n@@ -0,0 +1 @@\n+export function ebb() {\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x';
  const { choices } = await chat({
    model: 'parley-chat',
    messages: [
      { role: 'system', content: 'You write the message of a git commit from its diff.' },
      { role: 'user', content: `The changes:\n\`\`\`diff\n${diff}\n\`\`\`` },
    ],
  });
  assert.equal(
    choices[0].message.content,
    'Change isDeepEnough in berths.ts\n\n- Add ebb in tides.ts\n- Remove old.ts',
  );
});

const piece = (path: string, code: string): string => `From ${path}, the whole file:\n\n\`\`\`ts\n${code}\n\`\`\``;
const answerOf = async (content: string): Promise<string> => (await chat(ask(content))).choices[0].message.content;

test('files are compared in a table, by what they say of themselves, define and import', async () => {
  const merge = piece(
    'a/merge.ts',
    "/** Puts two into one. Slow. */\nimport { x } from './concat.ts';\nexport function merge() {}",
  );
  const said = await answerOf(
    `Compare merge.ts and concat.ts\n\n${merge}\n\n${piece('concat.ts', 'function concat() {}')}`,
  );
  assert.match(said, /^All are .*\. `merge\.ts` needs `concat\.ts`\./);
  assert.match(said, /\| `merge\.ts` \| Puts two into one \| `merge` \| 3 \|/);
  assert.match(said, /\| `concat\.ts` \| no comment says it \| `concat` \| 1 \|/);
  assert.match(said, /Read `concat\.ts` first/);
});

test('a name is changed in each file that has it, not in sentences, and each block names its file', async () => {
  const text = '`until $' + "{until}` + 'until'";
  const code = `/** Not until \`until\`. */\nfunction stay(until) {\n  return ${text};\n}\nfunction other() {}`;
  const said = await answerOf(
    `Rename until to departure\n\n${piece('a.ts', code)}\n\n${piece('b.ts', 'const c = until(1);')}\n\n${piece('c.ts', 'function d() {}')}`,
  );
  assert.ok(said.includes('a.ts\n```ts\n<<<<<<< SEARCH\n/** Not until `until`. */\nfunction stay(until) {\n'));
  assert.ok(said.includes('=======\n/** Not until `departure`. */\nfunction stay(departure) {\n'));
  assert.ok(said.includes("{departure}` + 'until';\n>>>>>>> REPLACE"));
  assert.doesNotMatch(said, /other|function d/);
  assert.match(said, /Nothing is named `until` in `c\.ts`\./);
  assert.match(said, /b\.ts\n```ts\n<<<<<<< SEARCH\nconst c = until\(1\);\n=======\nconst c = departure\(1\);/);
});

test('a review tells what a reader would see in added lines, and what a line asks it to tell', async () => {
  const review = (lines: string): Promise<string> =>
    chat({
      model: 'parley-chat',
      messages: [
        { role: 'system', content: 'Answer with JSON lines, one object for each finding' },
        { role: 'user', content: `Review this change.\n\nFile: a.ts\n\`\`\`\n${lines}\n\`\`\`` },
      ],
    }).then(({ choices }) => choices[0].message.content);
  const [first, second, ...more] = (
    await review(
      '1 + boats.forEach(async (boat) => {\n2 + // review: risk: Two may race.\n3   JSON.parse(text)\n  - JSON.parse(old)',
    )
  )
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([first.path, first.line, first.severity], ['a.ts', 1, 'bug']);
  assert.match(first.message, /`forEach` does not wait.*of boats/);
  assert.deepEqual(second, { path: 'a.ts', line: 2, severity: 'risk', message: 'Two may race.' });
  assert.deepEqual(more, []);
  assert.equal(await review('1 + const a = 1;'), '[]');
});

test('of the sample workspace it speaks as one who has read the code, and of changed code not', async () => {
  const code = 'return berth.depth + tideHeight >= boat.draught + UNDER_KEEL_CLEARANCE;';
  const selected = (text: string): string => `From src/berths.ts, lines 32 to 34:\n\n\`\`\`ts\n${text}\n\`\`\``;
  assert.match(await answerOf(`When is it false?\n\n${selected(code)}`), /stays afloat/);
  assert.match(await answerOf(`Write a test for it.\n\n${selected(code)}`), /```ts src\/berths\.test\.ts/);
  assert.doesNotMatch(await answerOf(`When is it false?\n\n${selected('return true;')}`), /afloat/);
});

test('json_object gives JSON, and functions are called when the message says so', async () => {
  const json = await chat(ask('What is it?', { response_format: { type: 'json_object' } }));
  assert.equal(typeof JSON.parse(json.choices[0].message.content), 'object');
  const tools = [{ type: 'function', function: { name: 'find' } }];
  const called = await chat(ask('call find {"q":"tide"}', { tools }));
  assert.equal(called.choices[0].finish_reason, 'tool_calls');
  assert.equal(called.choices[0].message.content, null);
  assert.deepEqual(called.choices[0].message.tool_calls[0].function, { name: 'find', arguments: '{"q":"tide"}' });
  const legacy = await chat(ask('call find {"q":1}', { functions: [{ name: 'find' }] }));
  assert.deepEqual(legacy.choices[0].message.function_call, { name: 'find', arguments: '{"q":1}' });
  const none = await chat(ask('call find {"q":1}', { tools, tool_choice: 'none' }));
  assert.equal(none.choices[0].finish_reason, 'stop');
});

test('a stream is server events whose deltas join to the answer that comes in one piece', async () => {
  const body = ask('say: Grüße, 🦀 and\n\n```ts\nx\n```', { n: 2 });
  const response = await post('chat/completions', {
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  });
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = readEvents(await response.text());
  const whole = await chat(body);
  for (const index of [0, 1]) {
    const deltas = events.flatMap((event) => event.choices ?? []).filter((choice) => choice.index === index);
    const text = deltas.map((choice) => choice.delta.content ?? '').join('');
    assert.equal(text, whole.choices[index].message.content);
    assert.equal(deltas.at(-1).finish_reason, 'stop');
  }
  assert.equal(events.at(-1), '[DONE]');
  assert.deepEqual(events.at(-2).choices, []);
  assert.deepEqual(events.at(-2).usage, whole.usage);
});

test('a streamed tool call comes in parts of its arguments', async () => {
  const json = '{"query":"where is the tide"}';
  const tools = [{ type: 'function', function: { name: 'find' } }];
  const response = await post('chat/completions', ask(`call find ${json}`, { tools, stream: true }));
  const calls = readEvents(await response.text()).flatMap((event) => event.choices?.[0]?.delta.tool_calls ?? []);
  assert.ok(calls.length > 2);
  assert.equal(calls.map((call) => call.function.arguments).join(''), json);
  assert.equal(calls.filter((call) => call.id).length, 1);
});

test('a client that leaves in the middle of a stream is recorded as aborted', async () => {
  const client = new AbortController();
  const model = 'stop-me-fault-stall';
  const response = await post('chat/completions', ask('count to 50', { stream: true, model }), {}, client.signal);
  await response.body?.getReader().read();
  client.abort();
  const seen = await service.waitForRequest(
    ({ body, aborted }) => aborted && (body as { model: string }).model === model,
  );
  assert.equal(seen.finished, true);
});

test('a slow first byte waits for release', async () => {
  const model = 'slow-fault-slow-first-byte';
  const coming = post('chat/completions', ask('say: late', { model }));
  const seen = await service.waitForRequest(({ fault }) => fault === 'slow-first-byte');
  assert.equal(seen.status, undefined);
  service.release();
  assert.equal((await coming).status, 200);
});

const embed = async (input: string | string[], more: object = {}) => {
  const response = await post('embeddings', { model: 'parley-embed', input, ...more });
  const answer = (await response.json()) as { data: { index: number; embedding: number[] }[]; usage: object };
  return answer.data;
};

const near = (a: number[] = [], b: number[] = []) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

test('near texts have near embeddings', async () => {
  const [question, load, render, retry, delay] = (
    await embed([
      'open a file and read it',
      'export async function loadFile(path: string) {\n  return readFile(path, "utf8");\n}',
      'function renderButton(label: string) {\n  return <button className="primary">{label}</button>;\n}',
      'where do we retry a failed request',
      'async function callWithBackoff(send) { for (let attempt = 1; ; attempt++) { try { return await send(); } catch (error) {} } }',
    ])
  ).map(({ embedding }) => embedding);
  assert.ok(near(question, load) > near(question, render) + 0.1);
  assert.ok(near(retry, delay) > near(retry, render) + 0.1);
  assert.ok(Math.abs(near(question, question) - 1) < 1e-6);
});

test('a question in plain words comes nearest to the file of the sample workspace that answers it', async () => {
  const root = join(import.meta.dirname, '../fixtures/workspace');
  const questions = {
    'where do we retry a failed request': 'src/http/retry.ts',
    'open a file and read it': 'src/tides/loadTable.ts',
    'predict the height of the tide': 'forecast/harmonics.py',
    'limit how often a caller may ask': 'gateway/ratelimit.go',
    'delete old backups': 'scripts/backup.sh',
    'send an email to the skipper': 'src/mail.ts',
  };
  const files = [...Object.values(questions), 'src/web/theme.css', 'engine/ring_buffer.c', 'db/schema.sql'];
  const vectors = await embed(files.map((file) => readFileSync(join(root, file), 'utf8')));
  for (const [question, file] of Object.entries(questions)) {
    const [asked] = await embed(question);
    const scores = vectors.map(({ embedding }) => near(asked?.embedding, embedding));
    assert.equal(files[scores.indexOf(Math.max(...scores))], file, question);
  }
});

test('base64 embeddings are the float ones, as little-endian float32', async () => {
  const [float] = await embed('tide table', { encoding_format: 'float', dimensions: 64 });
  const [base64] = await embed('tide table', { encoding_format: 'base64', dimensions: 64 });
  const bytes = Buffer.from(String(base64?.embedding), 'base64');
  assert.equal(bytes.length, 64 * 4);
  assert.deepEqual(
    Array.from({ length: 64 }, (_, i) => bytes.readFloatLE(i * 4)),
    float?.embedding,
  );
});

test('an empty embedding input gets 400 that names it', async () => {
  const wrong: [unknown, string][] = [
    ['', 'input'],
    [[], 'input'],
    [['a', ''], 'input[1]'],
    [[1], 'input[0]'],
  ];
  for (const [input, param] of wrong) {
    const response = await post('embeddings', { model: 'm', input });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as { error: { param: string } }).error.param, param);
  }
});

test('the embedding faults are what they say', async () => {
  const texts = ['a b', 'c d', 'e f'];
  assert.deepEqual(
    (await embed(texts, { model: 'fault-embeddings-shuffled' })).map(({ index }) => index),
    [2, 0, 1],
  );
  assert.equal((await embed(texts, { model: 'fault-embeddings-short' })).length, 2);
  const [zero] = await embed('a', { model: 'fault-embeddings-zero' });
  assert.ok(zero?.embedding.every((value) => value === 0));
  const [none] = await embed('a', { model: 'fault-embeddings-nan' });
  assert.ok(none?.embedding.every((value) => value === null));
  const [longer] = await embed('a', { model: 'fault-embeddings-longer' });
  assert.equal(longer?.embedding.length, (zero?.embedding.length ?? 0) * 2);
  const many = { model: 'fault-embeddings-batch-10', input: Array(11).fill('x') };
  assert.equal((await post('embeddings', many)).status, 400);
});

const CRLF_AUDIO = Buffer.from('RIFF\r\n--not-the-boundary\r\n\r\n\0\xff', 'latin1');

function upload(fields: [string, string | Buffer | File][], headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value instanceof File ? value : new File([new Uint8Array(value)], 'clip.wav'));
  }
  const authorization = `Bearer ${KEY}`;
  return fetch(`${service.baseUrl}/audio/translations`, {
    method: 'POST',
    body: form,
    headers: { authorization, ...headers },
  });
}

test('a translation upload is recorded part by part, to the byte', async () => {
  const response = await upload([
    ['model', 'parley-whisper'],
    ['prompt', 'Grüße'],
    ['response_format', 'json'],
    ['temperature', '0'],
    ['file', CRLF_AUDIO],
  ]);
  const sha256 = createHash('sha256').update(CRLF_AUDIO).digest('hex');
  const { text } = (await response.json()) as { text: string };
  assert.ok(text.includes('clip.wav') && text.includes(String(CRLF_AUDIO.length)) && text.includes(sha256.slice(0, 8)));
  const parts = service.requests.at(-1)?.parts ?? [];
  assert.deepEqual(
    parts.map(({ name, value }) => [name, value]),
    [
      ['model', 'parley-whisper'],
      ['prompt', 'Grüße'],
      ['response_format', 'json'],
      ['temperature', '0'],
      ['file', undefined],
    ],
  );
  assert.equal(parts.at(-1)?.sha256, sha256);
  assert.equal(parts.at(-1)?.length, CRLF_AUDIO.length);
});

test('a known recording is translated from the table, with segments in verbose_json', async () => {
  const sha256 = createHash('sha256').update(CRLF_AUDIO).digest('hex');
  const known = { text: 'Good day.', segments: [{ start: 0, end: 1.5, text: 'Good day.' }] };
  const other = await createReferenceService({ key: null, translations: new Map([[sha256, known]]) });
  const form = new FormData();
  form.append('model', 'parley-whisper');
  form.append('response_format', 'verbose_json');
  form.append('file', new File([new Uint8Array(CRLF_AUDIO)], 'a.mp3'));
  const response = await fetch(`${other.baseUrl}/audio/translations`, { method: 'POST', body: form });
  const answer = (await response.json()) as { text: string; duration: number; segments: { end: number }[] };
  await other.close();
  assert.deepEqual([answer.text, answer.duration, answer.segments[0]?.end], ['Good day.', 1.5, 1.5]);
});

test('the recordings of the sample workspace are in the table that comes with the project', async () => {
  const fixtures = join(import.meta.dirname, '../fixtures');
  const table = JSON.parse(readFileSync(join(fixtures, 'translations.json'), 'utf8')) as {
    file: string;
    text: string;
  }[];
  assert.deepEqual(table.map(({ file }) => file).sort(), readdirSync(join(fixtures, 'workspace/recordings')).sort());
  for (const { file, text } of table) {
    const audio = new Uint8Array(readFileSync(join(fixtures, 'workspace/recordings', file)));
    const response = await upload([
      ['model', 'parley-whisper'],
      ['file', new File([audio], file)],
    ]);
    assert.deepEqual(await response.json(), { text });
  }
});

test('a wrong upload gets 400 that names the part', async () => {
  const model: [string, string] = ['model', 'parley-whisper'];
  const file: [string, Buffer] = ['file', CRLF_AUDIO];
  const wrong: [[string, string | Buffer | File][], string][] = [
    [[file, model], 'file'],
    [[model], 'file'],
    [[file], 'model'],
    [[model, ['audio', CRLF_AUDIO]], 'audio'],
    [[model, ['language', 'de'], file], 'language'],
    [[model, ['temperature', 'hot'], file], 'temperature'],
    [[model, ['response_format', 'pdf'], file], 'response_format'],
    [[model, ['file', Buffer.alloc(0)]], 'file'],
    [[model, ['file', new File(['x'], 'notes.txt')]], 'file'],
    [[model, ['file', 'not a file']], 'file'],
  ];
  for (const [fields, param] of wrong) {
    const response = await upload(fields);
    const { error } = (await response.json()) as { error: { param: string } };
    assert.deepEqual([response.status, error.param], [400, param]);
  }
  const broken = await fetch(`${service.baseUrl}/audio/translations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nx\r\n',
  });
  assert.match(await broken.text(), /not closed by the boundary \(byte \d+\)/);
});

test('each status fault answers with that status and an error body', async () => {
  for (const fault of FAULTS.filter((name) => /^\d{3}/.test(name))) {
    const response = await post('chat/completions', ask('x'), { 'x-parley-fault': fault });
    assert.equal(response.status, Number(fault.slice(0, 3)));
    const { error } = (await response.json()) as { error: { message: string } };
    assert.ok(error.message);
    if (fault === '429') assert.equal(response.headers.get('retry-after'), '1');
    if (fault === '429-long') assert.equal(response.headers.get('retry-after'), '20');
  }
});

test('a fault that ends in -once is met once', async () => {
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await post('chat/completions', ask('x', { model: 'fault-503-once' }))).status);
  assert.deepEqual(statuses, [503, 200, 200]);
});

test('a fault nobody knows is refused', async () => {
  assert.equal((await post('chat/completions', ask('x', { model: 'fault-nonsense' }))).status, 400);
});

test('setFault strikes every request until it is taken back', async () => {
  service.setFault('html');
  const html = await post('chat/completions', ask('x'));
  service.setFault(undefined);
  assert.match(html.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal((await post('chat/completions', ask('say: y'))).headers.get('content-type'), 'application/json');
});

test('a broken stream is broken in the way its fault says', async () => {
  const stream = async (fault: string) =>
    post('chat/completions', ask('count to 20', { stream: true, model: `fault-${fault}` }));
  const clean = readEvents(await (await stream('cut-clean')).text());
  assert.equal(textOf(clean), 'word1 word2 word3');
  assert.ok(clean.every((event) => event !== '[DONE]' && !event.choices[0].finish_reason));
  const noDone = readEvents(await (await stream('no-done')).text());
  assert.equal(noDone.at(-1).choices[0].finish_reason, 'stop');
  assert.ok(readEvents(await (await stream('error-in-stream')).text()).at(-1).error.message);
  assert.match((await stream('json-for-stream')).headers.get('content-type') ?? '', /^application\/json/);
  assert.equal((await stream('no-stream-support')).status, 400);
  await assert.rejects(async () => (await stream('cut')).text());
  await assert.rejects(() => stream('reset'));
  assert.equal(Buffer.from(await (await stream('garbage')).arrayBuffer()).includes(0xff), true);
  assert.equal((await stream('empty')).headers.get('content-length'), '0');
  const redirect = await stream('redirect');
  assert.equal(redirect.status, 307);
  assert.notEqual(new URL(redirect.headers.get('location') ?? '').origin, service.origin);
});

test('an answer that is not streamed can be cut as well', async () => {
  await assert.rejects(async () => (await post('embeddings', { model: 'fault-cut', input: 'x' })).text());
  await assert.rejects(async () => (await post('embeddings', { model: 'fault-garbage', input: 'x' })).json());
});

test('models are listed, unless the service does not offer that', async () => {
  const headers = { authorization: `Bearer ${KEY}` };
  const { data } = (await (await fetch(`${service.baseUrl}/models`, { headers })).json()) as { data: { id: string }[] };
  assert.deepEqual(
    data.map(({ id }) => id),
    ['parley-chat', 'parley-chat-large', 'parley-embed', 'parley-whisper'],
  );
  const without = await createReferenceService({ key: null, models: false });
  const status = (await fetch(`${without.baseUrl}/models`)).status;
  await without.close();
  assert.equal(status, 404);
});

test('a client that trusts nobody new refuses the self-signed pair', async () => {
  const secure = await createReferenceService({ key: null, tls: readSelfSignedPair() });
  await assert.rejects(
    () => fetch(`${secure.baseUrl}/models`),
    (error: Error & { cause?: { code?: string } }) => error.cause?.code === 'DEPTH_ZERO_SELF_SIGNED_CERT',
  );
  await secure.close();
});

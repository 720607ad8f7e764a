import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/clock.ts';
import { copyAs, safeUrl } from '../../../src/connect/exchanges/copyAs.ts';
import { createExchangeList, type Exchange, longestKept } from '../../../src/connect/exchanges/exchangeList.ts';
import { exchangeText } from '../../../src/connect/exchanges/exchangeText.ts';
import { recordExchanges } from '../../../src/connect/exchanges/recordExchanges.ts';
import { ApiKey } from '../../../src/service/apiKey.ts';
import { createPhaseTimer } from '../../../src/service/transport/phaseTimer.ts';
import type { NetworkPath } from '../../../src/service/transport/transport.ts';

const secret = 'sk-harbour-0123456789abcdef';
const key = new ApiKey(secret);
const url = 'https://models.example/v1/chat/completions';
const asked = {
  model: 'm',
  messages: [{ role: 'user', content: `It's "quoted" $HOME \`x\` \\n\n\u2028 😀` }],
  stream: true,
};

function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    ...{
      id: 1,
      at: 0,
      method: 'POST',
      url,
      accept: 'text/event-stream',
      key,
      state: 'ended',
      answer: '',
      isCut: false,
    },
    ...{ body: { kind: 'json', text: JSON.stringify(asked) } },
    ...more,
  };
}

/** A way that answers with some pieces, and may break after them. */
function pathOf(pieces: readonly string[], error?: Error): NetworkPath {
  return {
    close: async () => undefined,
    async exchange() {
      async function* body() {
        for (const piece of pieces) yield new TextEncoder().encode(piece);
        if (error !== undefined) throw error;
      }
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: body() };
    },
  };
}

const request = { method: 'POST', url, apiKey: key, body: '{"model":"m"}' } as const;

async function readAll(path: NetworkPath, most = Infinity, signal = new AbortController().signal): Promise<string> {
  const { body } = await path.exchange(request, signal, () => undefined);
  let text = '';
  for await (const bytes of body) {
    text += new TextDecoder().decode(bytes);
    if (text.length >= most) break;
  }
  return text;
}

describe('Exchanges that are kept', () => {
  test('have what was sent and what came, and change nothing on the way', async () => {
    const list = createExchangeList();
    const path = recordExchanges(pathOf(['one ', 'two']), list, () => true, systemClock);
    assert.equal(await readAll(path), 'one two');
    const [kept] = list.all;
    assert.deepEqual(
      [kept?.method, kept?.url, kept?.status, kept?.state, kept?.answer, kept?.isCut],
      ['POST', url, 200, 'ended', 'one two', false],
    );
    assert.deepEqual(kept?.body, { kind: 'json', text: '{"model":"m"}' });
    assert.ok((kept?.totalMs ?? -1) >= (kept?.firstByteMs ?? 0));
  });

  test('say how they ended: by whoever stopped reading, by the user, by the connection', async () => {
    const list = createExchangeList();
    const kept = (path: NetworkPath) => recordExchanges(path, list, () => true, systemClock);
    await readAll(kept(pathOf(['one ', 'two'])), 3);
    assert.deepEqual([list.all[0]?.state, list.all[0]?.answer], ['stopped', 'one ']);
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    await assert.rejects(readAll(kept(pathOf(['one'], reset))), reset);
    assert.deepEqual([list.all[0]?.state, list.all[0]?.failure, list.all[0]?.answer], ['failed', 'ECONNRESET', 'one']);
    const refused: NetworkPath = { ...pathOf([]), exchange: () => Promise.reject(reset) };
    await assert.rejects(readAll(kept(refused)), reset);
    assert.deepEqual([list.all[0]?.state, list.all[0]?.status], ['failed', undefined]);
    await assert.rejects(readAll(kept(pathOf(['x'], reset)), Infinity, AbortSignal.abort()), reset);
    assert.equal(list.all[0]?.state, 'stopped');
    const late = createPhaseTimer(new AbortController().signal, 1);
    await once(late.signal, 'abort');
    await assert.rejects(readAll(kept(pathOf(['x'], reset)), Infinity, late.signal), reset);
    assert.deepEqual([list.all[0]?.state, list.all[0]?.failure], ['failed', 'ETIMEDOUT'], 'by a time limit');
    const user = new AbortController();
    const stopped = createPhaseTimer(user.signal);
    user.abort();
    await assert.rejects(readAll(kept(pathOf(['x'], reset)), Infinity, stopped.signal), reset);
    assert.equal(list.all[0]?.state, 'stopped');
    assert.equal(list.all.length, 6);
  });

  test('are none where they are not wanted', async () => {
    const list = createExchangeList();
    assert.equal(await readAll(recordExchanges(pathOf(['one']), list, () => false, systemClock)), 'one');
    assert.deepEqual(list.all, []);
  });

  test('stay within bounds: a hundred, the beginning of a long answer, and not too much together', async () => {
    const list = createExchangeList();
    const long = 'x'.repeat(longestKept);
    const path = recordExchanges(pathOf([long, 'y'.repeat(longestKept), 'z']), list, () => true, systemClock);
    assert.equal((await readAll(path)).length, 2 * longestKept + 1);
    assert.ok(list.all[0]?.answer === long && list.all[0].isCut);
    for (let i = 0; i < 200; i++) await readAll(path);
    assert.equal(list.all.length, 100);
    const size = list.all.reduce((sum, { answer }) => sum + answer.length, 0);
    assert.ok(size <= 16 * 1024 * 1024 && size > 15 * 1024 * 1024, `${size} characters`);
    assert.equal(list.all[0]?.answer.length, longestKept);
    assert.ok(list.all.at(-1)?.answer === '' && list.all.at(-1)?.isCut);
  });

  test('say that an answer is cut also where its letters have several bytes, which may come in one piece', async () => {
    const list = createExchangeList();
    for (const letter of ['x', 'é', '潮', '😀']) {
      const text = letter.repeat(longestKept);
      await readAll(recordExchanges(pathOf([text, text]), list, () => true, systemClock));
      const { answer = '', isCut } = list.all[0] ?? {};
      assert.ok(isCut && answer.length === longestKept && text.startsWith(answer), letter);
      const short = letter.repeat(longestKept / letter.length);
      await readAll(recordExchanges(pathOf([short]), list, () => true, systemClock));
      assert.ok(list.all[0]?.answer === short && !list.all[0].isCut, letter);
    }
  });

  test('one that ends after all were forgotten does not come back', async () => {
    const list = createExchangeList();
    const change = list.add(exchange({ state: 'running' }));
    list.clear();
    change({ state: 'ended' });
    assert.deepEqual(list.all, []);
  });
});

/** What a shell makes of a command: its words, `curl` being a function that prints them. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PARLEY_API_KEY: 'from the environment' },
  });
  return printed.split('\0').slice(0, -1);
}

describe('A request copied as code', () => {
  test('as cURL is what was sent, whatever stands in it, with the key as a variable', () => {
    const words = wordsOf(copyAs(exchange(), 'curl') ?? '');
    assert.deepEqual(words.slice(0, 2), ['-N', url]);
    assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), asked);
    assert.ok(words.includes('Authorization: Bearer from the environment'));
    assert.ok(words.includes('Content-Type: application/json'));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (content) => {
        const text = JSON.stringify({ content });
        const sent = wordsOf(copyAs(exchange({ body: { kind: 'json', text } }), 'curl') ?? '');
        assert.deepEqual(JSON.parse(sent.at(-1) ?? ''), { content });
      }),
      { numRuns: 30 },
    );
  });

  test('as cURL has a file by its name, and a list of models without a body', () => {
    const file = { field: 'file', name: 'a "b".wav', contentType: 'audio/wav' };
    const body = { kind: 'form', fields: [['model', 'whisper; x=@y']], file } as const;
    const words = wordsOf(copyAs(exchange({ body }), 'curl') ?? '');
    assert.deepEqual(words.slice(-4), [
      '--form-string',
      'model=whisper; x=@y',
      '-F',
      'file=@"a \\"b\\".wav";type=audio/wav',
    ]);
    const models = { ...exchange({ method: 'GET', url: 'http://localhost:1/v1/models', accept: 'application/json' }) };
    assert.deepEqual(wordsOf(copyAs({ ...models, body: undefined, key: undefined }, 'curl') ?? ''), [models.url]);
  });

  test('as fetch sends the same', async () => {
    const code = copyAs(exchange(), 'fetch') ?? '';
    let sent: unknown[] = [];
    const run = new Function('fetch', 'process', `return (async () => { ${code} })();`);
    const fake = (...given: unknown[]): void => {
      sent = given;
    };
    await run(fake, { env: { PARLEY_API_KEY: 'k' } });
    const [address, { method, headers, body }] = sent as [string, { method: string; headers: object; body: string }];
    assert.deepEqual([address, method], [url, 'POST']);
    assert.deepEqual(headers, { 'Content-Type': 'application/json', Authorization: 'Bearer k' });
    assert.deepEqual(JSON.parse(body), asked);
  });

  test('for the SDKs names the method and the address; a field that Python’s does not know goes along beside', () => {
    const typeScript = copyAs(exchange(), 'sdkTypeScript') ?? '';
    assert.match(typeScript, /baseURL: "https:\/\/models\.example\/v1", apiKey: process\.env\.PARLEY_API_KEY/);
    assert.match(typeScript, /client\.chat\.completions\.create\(\{/);
    assert.match(typeScript, /for await \(const chunk of answer\)/);
    const text = JSON.stringify({ model: 'm', logprobs: true, stop: null, top_k: 40, tools: [], seed: -1 });
    assert.equal(
      copyAs(exchange({ body: { kind: 'json', text } }), 'sdkPython'),
      [
        'import os',
        '',
        'from openai import OpenAI',
        '',
        'client = OpenAI(base_url="https://models.example/v1", api_key=os.environ["PARLEY_API_KEY"])',
        'answer = client.chat.completions.create(',
        '    model="m",',
        '    logprobs=True,',
        '    stop=None,',
        '    tools=[],',
        '    seed=-1,',
        '    extra_body={',
        '        "top_k": 40,',
        '    },',
        ')',
        'print(answer)',
        '',
      ].join('\n'),
    );
    assert.equal(copyAs(exchange({ url: 'https://models.example/v1/rerank' }), 'sdkPython'), undefined);
    assert.equal(copyAs(exchange({ url: `${url}?version=2` }), 'sdkTypeScript'), undefined);
  });

  test('never has the key, nor what an address carries in its place', () => {
    const address = `https://me:pass@models.example/v1/chat/completions?api_key=${secret}&token=abc&version=2`;
    assert.equal(
      safeUrl({ url: address, key }),
      'https://models.example/v1/chat/completions?api_key=HIDDEN&token=HIDDEN&version=2',
    );
    const messages = [{ role: 'user', content: `Is ${secret} still valid?` }];
    const body = { kind: 'json', text: JSON.stringify({ model: 'm', messages }) } as const;
    for (const form of ['curl', 'fetch', 'sdkTypeScript', 'sdkPython'] as const) {
      const code = copyAs(exchange({ url: address, body }), form) ?? '';
      assert.ok(!code.includes(secret) && !code.includes('abc') && !code.includes('pass@'), form);
      const plain = copyAs(exchange({ body }), form) ?? '';
      assert.ok(plain.includes('still valid?') && !plain.includes(secret), form);
    }
    const file = { field: 'file', name: 'a.wav', contentType: 'audio/wav' };
    const form = { kind: 'form', fields: [['prompt', secret]], file } as const;
    assert.ok(!copyAs(exchange({ body: form }), 'curl')?.includes(secret));
  });
});

describe('An exchange as a document', () => {
  const words = {
    request: 'Request',
    answer: 'Answer',
    cut: 'Cut.',
    none: 'Nothing.',
    summary: '200',
    file: 'No file.',
  };

  test('shows the whole request and answer, and neither the key nor a cookie, wherever they stand', () => {
    const text = exchangeText(
      exchange({
        headers: { 'x-request-id': 'r1', 'set-cookie': 'session=1', 'x-echo': `Bearer ${secret}` },
        answer: `{"error": "no model for ${secret}"}`,
      }),
      words,
    );
    assert.match(text, /^# POST https:\/\/models\.example\/v1\/chat\/completions\n\n200\n\n## Request/);
    assert.match(text, /authorization: Bearer \[API key\]/);
    assert.match(text, /x-request-id: r1/);
    assert.match(text, /"role": "user"/);
    assert.ok(!text.includes(secret) && !text.includes('session=1'));
  });

  test('nothing in an answer ends the block that it stands in', () => {
    const answer = 'data: ````\n```\n# A heading';
    const text = exchangeText(exchange({ answer }), words);
    assert.ok(text.includes(`\`\`\`\`\`text\n${answer}\n\`\`\`\`\``));
  });

  test('says where there is nothing, and where something was cut', () => {
    assert.match(exchangeText(exchange(), words), /## Answer\n\nNothing\.\n$/);
    assert.match(exchangeText(exchange({ answer: 'x', isCut: true }), words), /Cut\.\n$/);
  });
});

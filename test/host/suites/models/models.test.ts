import assert from 'node:assert/strict';
import {
  CancellationError,
  CancellationTokenSource,
  type LanguageModelChat,
  LanguageModelChatMessage,
  type LanguageModelChatRequestOptions,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from 'vscode';
import { errorKinds, ServiceError } from '../../../../src/base/errors.ts';
import { errorText } from '../../../../src/editor/sentences/errorText.ts';
import { toLanguageModelError } from '../../../../src/models/requests/languageModelError.ts';
import { passAnswer } from '../../../../src/models/requests/reportAnswer.ts';
import type { ChatEvent } from '../../../../src/service/chat/completion.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { notification } from '../support/hands.ts';
import { connectTo, disconnect, modelRequests, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const vendor = 'parley';
const { User, Assistant } = LanguageModelChatMessage;

interface Body {
  model: string;
  stream: boolean;
  messages: Record<string, unknown>[];
  [field: string]: unknown;
}
const chatBodies = (service: ReferenceService): Body[] =>
  service.requests.filter((r) => r.path.endsWith('/chat/completions')).map((r) => r.body as Body);
const lastBody = (service: ReferenceService): Body => chatBodies(service).at(-1) as Body;
const listRequests = modelRequests;

async function modelNamed(name: string): Promise<LanguageModelChat> {
  const found = (await lm.selectChatModels({ vendor })).filter((model) => model.name === name);
  assert.equal(found.length, 1, `${found.length} models are named ${name}`);
  return found[0] as LanguageModelChat;
}

interface Answer {
  text: string;
  calls: LanguageModelToolCallPart[];
}

/** Asks a model and reads the whole answer. */
async function ask(
  model: LanguageModelChat,
  messages: LanguageModelChatMessage[] | string,
  options: LanguageModelChatRequestOptions = {},
): Promise<Answer> {
  const asked = typeof messages === 'string' ? [User(messages)] : messages;
  const answer: Answer = { text: '', calls: [] };
  for await (const part of (await model.sendRequest(asked, options)).stream) {
    if (part instanceof LanguageModelTextPart) answer.text += part.value;
    if (part instanceof LanguageModelToolCallPart) answer.calls.push(part);
  }
  return answer;
}

async function failureOf(task: Promise<unknown>): Promise<Error & { code?: string }> {
  const error: unknown = await task.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error, 'it rejects');
  return error;
}

const weatherTool = {
  name: 'weather',
  description: 'The weather of a place',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
};
const clockTool = { name: 'clock', description: 'The time' };

describe('Models in VS Code', () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await notification.clear();
  });
  afterEach(async () => {
    await setting('parley.chat.extraBody', undefined);
    await setting('parley.chat.stream', undefined);
    await service.close();
  });
  after(disconnect);

  it('are those that the service lists for chat, and the one that was typed', async () => {
    await setting('parley.chat.model', 'my-embedder-that-chats');
    const models = await lm.selectChatModels({ vendor });
    assert.deepEqual(models.map(({ name }) => name).sort(), [
      'my-embedder-that-chats',
      'parley-chat',
      'parley-chat-large',
    ]);
    const large = await modelNamed('parley-chat-large');
    assert.equal(large.id, `${service.baseUrl}#parley-chat-large`);
    assert.equal(large.family, 'parley-chat-large');
    assert.ok(large.maxInputTokens > 90_000);
  });

  it('are asked for when VS Code asks and not again while the list is fresh; a change of the settings counts', async () => {
    assert.equal((await lm.selectChatModels({ vendor })).length, 2);
    assert.equal((await lm.selectChatModels({ vendor, family: 'parley-chat' })).length, 1);
    assert.equal(listRequests(service).length, 1);
    await setting('parley.chat.model', 'typed-later');
    await until('VS Code has the typed model', async () =>
      (await lm.selectChatModels({ vendor })).some(({ name }) => name === 'typed-later'),
    );
  });

  it('tell VS Code when they change', async () => {
    await lm.selectChatModels({ vendor });
    let changes = 0;
    const listening = lm.onDidChangeChatModels(() => {
      changes++;
    });
    await setting('parley.chat.model', 'another-one');
    await until('VS Code says that models changed', () => changes > 0);
    listening.dispose();
  });

  it('are none, and nobody is asked for anything, while nothing is connected', async () => {
    await disconnect();
    assert.deepEqual(await lm.selectChatModels({ vendor }), []);
    assert.deepEqual(await notification.texts(), []);
    await setting('parley.baseUrl', 'https://service.invalid/v1');
    assert.deepEqual(await lm.selectChatModels({ vendor }), []);
    assert.deepEqual(await notification.texts(), []);
  });

  it('include the typed one where the service lists none or does not answer', async () => {
    const bare = await startService({ models: false });
    await setting('parley.baseUrl', bare.baseUrl);
    assert.deepEqual(
      (await lm.selectChatModels({ vendor })).map(({ name }) => name),
      ['parley-chat'],
    );
    await bare.close();
    await setting('parley.chat.model', 'typed');
    assert.deepEqual(
      (await lm.selectChatModels({ vendor })).map(({ name }) => name),
      ['typed'],
    );
  });

  it('stream an answer', async () => {
    const response = await (await modelNamed('parley-chat')).sendRequest([User('count to 200')]);
    const pieces: string[] = [];
    for await (const piece of response.text) pieces.push(piece);
    assert.ok(pieces.length > 1, 'it comes in pieces');
    assert.match(pieces.join(''), /^word1 word2 .* word200$/);
    const body = lastBody(service);
    assert.equal(body.model, 'parley-chat');
    assert.equal(body.stream, true);
    assert.deepEqual(body.messages, [{ role: 'user', content: 'count to 200' }]);
  });

  it('answer in one piece where the setting says so, with the extra fields of the settings', async () => {
    await setting('parley.chat.stream', false);
    await setting('parley.chat.extraBody', { user: 'me' });
    assert.equal((await ask(await modelNamed('parley-chat'), 'say: whole')).text, 'whole');
    assert.equal(lastBody(service).stream, false);
    assert.equal(lastBody(service)['user'], 'me');
  });

  it('call tools, take their results, and go on', async () => {
    const model = await modelNamed('parley-chat');
    const question = User('call weather {"place":"Kiel"}\ncall clock');
    const { calls } = await ask(model, [question], { tools: [weatherTool, clockTool] });
    assert.deepEqual(
      calls.map(({ name, input }) => ({ name, input })),
      [
        { name: 'weather', input: { place: 'Kiel' } },
        { name: 'clock', input: {} },
      ],
    );
    const sentTools = lastBody(service)['tools'] as { function: { name: string; parameters: unknown } }[];
    assert.deepEqual(sentTools[0]?.function.parameters, weatherTool.inputSchema);
    assert.equal(lastBody(service)['tool_choice'], undefined);
    const [first, second] = calls;
    assert.ok(first && second);
    const results = [
      new LanguageModelToolResultPart(first.callId, [new LanguageModelTextPart('It rains.')]),
      new LanguageModelToolResultPart(second.callId, [LanguageModelDataPart.json({ hour: 6 })]),
    ];
    const { text } = await ask(model, [question, Assistant(calls), User(results)], { tools: [weatherTool, clockTool] });
    assert.match(text, /^The tool answered: \{\s*"hour": 6\s*\}$/);
    const [, called, rain, hour] = lastBody(service).messages;
    assert.equal(called?.['content'], null);
    assert.deepEqual(rain, { role: 'tool', tool_call_id: first.callId, content: 'It rains.' });
    assert.deepEqual([hour?.['role'], hour?.['tool_call_id']], ['tool', second.callId]);
    assert.deepEqual(JSON.parse(String(hour?.['content'])), { hour: 6 });
  });

  it('must call a tool where VS Code says so', async () => {
    const model = await modelNamed('parley-chat');
    const toolMode = LanguageModelChatToolMode.Required;
    const { calls } = await ask(model, 'Hello', { tools: [clockTool], toolMode });
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['clock'],
    );
    assert.equal(lastBody(service)['tool_choice'], 'required');
    await ask(model, 'Hello', { tools: [weatherTool, clockTool], toolMode });
    assert.equal(lastBody(service)['tool_choice'], 'required');
  });

  it('get images where they take them, and a note where they do not', async () => {
    await setting('parley.chat.model', 'parley-vision');
    const question = User([new LanguageModelTextPart('say: seen'), LanguageModelDataPart.image(pixel, 'image/png')]);
    assert.equal((await ask(await modelNamed('parley-vision'), [question])).text, 'seen\n');
    assert.deepEqual(lastBody(service).messages[0]?.['content'], [
      { type: 'text', text: 'say: seen' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(pixel).toString('base64')}` } },
    ]);
    await ask(await modelNamed('parley-chat'), [question]);
    assert.match(String(lastBody(service).messages[0]?.['content']), /image was left out/);
  });

  it('count tokens of texts and of messages', async () => {
    const model = await modelNamed('parley-chat');
    const words = await model.countTokens('one two three four five six seven eight nine ten');
    assert.ok(words >= 8 && words <= 20, `${words} tokens`);
    assert.ok((await model.countTokens(User('one two three four five six seven eight nine ten'))) > words);
    assert.ok((await model.countTokens(User([LanguageModelDataPart.image(pixel, 'image/png')]))) > 500);
  });

  it('stop when VS Code cancels: the connection is closed', async () => {
    service.setFault('stall');
    const model = await modelNamed('parley-chat');
    const cancel = new CancellationTokenSource();
    const response = await model.sendRequest([User('count to 50')], {}, cancel.token);
    const reading = failureOf(
      (async () => {
        for await (const _piece of response.text) cancel.cancel();
      })(),
    );
    const request = await service.waitForRequest((r) => r.path.endsWith('/chat/completions') && r.finished);
    assert.equal(request.aborted, true);
    assert.equal((await reading).name, 'Canceled');
  });

  it('get `modelOptions` as fields of the request, but never its model, messages or stream', async () => {
    const modelOptions = {
      temperature: 0.25,
      seed: 7,
      stop: ['word3'],
      model: 'other',
      stream: false,
      messages: [],
      _id: 1,
    };
    const { text } = await ask(await modelNamed('parley-chat'), 'count to 5', { modelOptions });
    assert.equal(text, 'word1 word2 ');
    const body = lastBody(service);
    assert.equal(body['temperature'], 0.25);
    assert.equal(body['seed'], 7);
    assert.equal(body.model, 'parley-chat');
    assert.equal(body.stream, true);
    assert.equal(body['_id'], undefined);
  });

  it('get fields the document does not know, too; one that the service refuses is left out, and said', async () => {
    const options = { modelOptions: { reasoning_effort: 'low' } };
    const { text } = await ask(await modelNamed('parley-chat'), 'say: without it', options);
    assert.equal(text, 'without it');
    const sent = chatBodies(service).map((body) => body['reasoning_effort']);
    assert.deepEqual(sent, ['low', undefined]);
    await notification.untilSaid('does not take the request field “reasoning_effort”');
  });

  for (const [fault, code, said] of [
    ['401', 'NoPermissions', /did not accept the API key/],
    ['403', 'NoPermissions', /not allowed to do this/],
    ['404', 'NotFound', /nothing at/],
    ['model-not-found', 'NotFound', /does not know this model/],
    ['429-quota', 'Blocked', /no quota left/],
    ['content-filter', 'Blocked', /content filter/],
    ['context-length', 'context-length', /longer than the model can read/],
    ['413', 'too-large', /does not take a request this large/],
    ['html', 'login-page', /web page/],
    ['cut', 'truncated', /cut off before its end/],
  ] as const) {
    it(`fail with ${code} and a plain sentence for ${fault}`, async () => {
      const model = await modelNamed('parley-chat');
      service.setFault(fault);
      const failure = await failureOf(ask(model, 'count to 40'));
      assert.ok(failure instanceof LanguageModelError, String(failure));
      assert.equal(failure.code, code);
      assert.match(failure.message, said);
      assert.doesNotMatch(`${failure.message} ${failure.stack} ${failure.cause}`, /sk-parley/);
    });
  }
});

describe('An error of Models in VS Code', () => {
  it('is a LanguageModelError with a code for an extension and the sentence for a person; a stop is none', () => {
    const url = 'https://host.example/v1';
    for (const kind of errorKinds) {
      const error = new ServiceError(kind, { url });
      const given = toLanguageModelError(error);
      if (kind === 'cancelled') {
        assert.ok(given instanceof CancellationError);
        continue;
      }
      assert.ok(given instanceof LanguageModelError, kind);
      assert.equal(given.message, errorText(error).sentence);
      assert.ok([kind, 'NoPermissions', 'NotFound', 'Blocked'].includes(given.code), `${kind}: ${given.code}`);
    }
    const rateLimit = toLanguageModelError(new ServiceError('rate-limit', { url, retryAfterMs: 1000 }));
    assert.equal((rateLimit as LanguageModelError).code, 'Blocked');
  });

  it('is the same for a call of a tool that cannot be made, and the tool is named', async () => {
    const answer = async function* (): AsyncGenerator<ChatEvent> {
      yield { type: 'function-call', choice: 0, functionCall: { name: 'look', arguments: '{"at":' } };
    };
    const reported: unknown[] = [];
    const nameOf = (name: string): string => name;
    const listener = { pass: (piece: unknown) => void reported.push(piece), onNotes() {}, onAdjusted() {}, nameOf };
    const error: unknown = await passAnswer(answer(), 'https://host/v1', listener).catch((thrown) => thrown);
    const given = toLanguageModelError(error) as LanguageModelError;
    assert.equal(given.code, 'malformed');
    assert.match(given.message, /The model called “look” with arguments that are not a JSON object/);
    assert.deepEqual(reported, []);
  });
});

/** A PNG of one pixel. */
const pixel = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
